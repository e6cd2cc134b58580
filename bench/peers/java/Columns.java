package peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.index.IndexableField;

/**
 * An index of analysed text with columns, by the fields that Lucene has for that: LongField (points
 * and doc values) for numbers and days, KeywordField (postings and doc values) for keywords.
 */
final class Columns {
  private final String[] names;
  private final String[] types;

  private Columns(List<String> fields) {
    names = fields.stream().map(field -> field.split(":")[0]).toArray(String[]::new);
    types = fields.stream().map(field -> field.split(":")[1]).toArray(String[]::new);
  }

  /**
   * Indexes id, tab, words of every line with the row of a CSV file, whose values have no quotes.
   * `fields`: NAME:TYPE in the order of its columns; a type is keyword, date or a number's.
   */
  static void build(Path documents, Path rows, Path folder, List<String> fields)
      throws IOException {
    var columns = new Columns(fields);
    try (var reader = Files.newBufferedReader(rows)) {
      var lines = new Lines(reader);
      if (!lines.next().equals(String.join(",", columns.names))) {
        throw new IllegalStateException(rows + " has other columns");
      }
      Index.build(documents, folder, document -> columns.add(document, lines.next()));
      if (lines.next() != null) throw new IllegalStateException(rows + " has more rows");
    }
  }

  private void add(Document document, String row) {
    String[] values = row.split(",");
    for (int i = 0; i < names.length; ++i) document.add(field(names[i], types[i], values[i]));
  }

  private static IndexableField field(String name, String type, String value) {
    return switch (type) {
      case "keyword" -> new KeywordField(name, value, Store.NO);
      case "date" -> new LongField(name, LocalDate.parse(value).toEpochDay(), Store.NO);
      default -> new LongField(name, Long.parseLong(value), Store.NO);
    };
  }
}
