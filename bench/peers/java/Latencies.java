package peers;

import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.Query;

/** Passes over several logs by one thread, with the time that each query takes. */
final class Latencies {
  private final Questions questions;
  private final Map<String, List<String>> texts = new HashMap<>();
  private final Map<String, Query[]> queries = new HashMap<>();

  Latencies(Questions questions) {
    this.questions = questions;
  }

  /**
   * Reads "log, tab, words" of every query, and an empty line. Then passes once for every line "log
   * mode k counted", and prints how much it found and the nanoseconds of each query.
   */
  void serve() throws IOException {
    var lines = new Lines(new InputStreamReader(System.in));
    for (String line = lines.next(); !line.isEmpty(); line = lines.next()) {
      String[] parts = line.split("\t");
      texts.computeIfAbsent(parts[0], log -> new ArrayList<>()).add(parts[1]);
    }
    for (String line = lines.next(); line != null; line = lines.next()) {
      String[] asked = line.split(" ");
      var log = queries.computeIfAbsent(asked[0] + " " + asked[1], name -> parse(asked));
      System.out.println(pass(log, Integer.parseInt(asked[2]), Boolean.parseBoolean(asked[3])));
    }
  }

  private Query[] parse(String[] asked) {
    var log = texts.get(asked[0]).stream();
    return log.map(text -> Questions.query(text, asked[1])).toArray(Query[]::new);
  }

  private String pass(Query[] log, int k, boolean counted) throws IOException {
    var nanoseconds = new long[log.length];
    long found = 0;
    long before = System.nanoTime();
    for (int i = 0; i < log.length; ++i) {
      found += questions.found(log[i], k, counted);
      long after = System.nanoTime();
      nanoseconds[i] = after - before;
      before = after;
    }
    var text = new StringBuilder().append(found);
    for (long one : nanoseconds) text.append(' ').append(one);
    return text.toString();
  }
}
