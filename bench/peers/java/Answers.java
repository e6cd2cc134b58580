package peers;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;

/** What is found for queries, a line each: "document score" of every hit; a count if k is 0. */
final class Answers {
  private final Questions questions;
  private final String mode;
  private final int k;

  Answers(Questions questions, String mode, int k) {
    this.questions = questions;
    this.mode = mode;
    this.k = k;
  }

  /** Answers the lines of the standard input. */
  void print() throws IOException {
    var lines = new Lines(new InputStreamReader(System.in));
    var out = new PrintWriter(System.out);
    for (String line = lines.next(); line != null; line = lines.next()) {
      out.append(answer(Questions.query(line, mode))).append('\n');
    }
    out.flush();
  }

  private String answer(Query query) throws IOException {
    if (k == 0) return Integer.toString(questions.count(query));
    var text = new StringBuilder();
    for (ScoreDoc hit : questions.hits(query, k)) {
      if (!text.isEmpty()) text.append(' ');
      text.append(hit.doc).append(' ').append(hit.score);
    }
    return text.toString();
  }
}
