package peers;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;

/** What is found for queries, a line each. */
final class Answers {
  private final Questions questions;
  private final String mode;
  private final int k;

  Answers(Questions questions, String mode, int k) {
    this.questions = questions;
    this.mode = mode;
    this.k = k;
  }

  /** Of the queries on the standard input: "document score" of every hit. */
  void print() throws IOException {
    print(this::answer);
  }

  /** How many documents match, as a search for the k best hits tells it; k may be 0. */
  void printTotals() throws IOException {
    print(query -> Long.toString(questions.found(query, k, true)));
  }

  /** What is said of a query. */
  private interface Teller {
    String tell(Query query) throws IOException;
  }

  private void print(Teller teller) throws IOException {
    var lines = new Lines(new InputStreamReader(System.in));
    var out = new PrintWriter(System.out);
    for (String line = lines.next(); line != null; line = lines.next()) {
      out.append(teller.tell(Questions.query(line, mode))).append('\n');
    }
    out.flush();
  }

  private String answer(Query query) throws IOException {
    var text = new StringBuilder();
    for (ScoreDoc hit : questions.hits(query, k)) {
      if (!text.isEmpty()) text.append(' ');
      text.append(hit.doc).append(' ').append(hit.score);
    }
    return text.toString();
  }
}
