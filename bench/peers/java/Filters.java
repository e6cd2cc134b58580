package peers;

import java.util.ArrayList;
import java.util.Arrays;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;

/** Filters by the columns of an index that Columns made, as Lucene's fields themselves make them. */
final class Filters {
  private Filters() {}

  /** A text "range FIELD LOW HIGH": numbers from LOW on, below HIGH; or "any FIELD KEYWORD...". */
  static Query of(String text) {
    String[] parts = text.split(" ");
    if (parts[0].equals("range")) {
      return LongField.newRangeQuery(
          parts[1], Long.parseLong(parts[2]), Long.parseLong(parts[3]) - 1);
    }
    var keywords = new ArrayList<BytesRef>();
    for (String word : Arrays.asList(parts).subList(2, parts.length)) {
      keywords.add(new BytesRef(word));
    }
    if (keywords.size() == 1) return KeywordField.newExactQuery(parts[1], parts[2]);
    return KeywordField.newSetQuery(parts[1], keywords);
  }
}
