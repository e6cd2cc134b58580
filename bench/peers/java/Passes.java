package peers;

import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.search.Query;

/** Passes over a log by threads that share a searcher, each taking the next query. */
final class Passes {
  private final Questions questions;
  private final int threads;
  private final AtomicInteger next = new AtomicInteger();

  Passes(Questions questions, int threads) {
    this.questions = questions;
    this.threads = threads;
  }

  /**
   * Reads the log, which ends with an empty line. Then passes once for every line "mode k", with a
   * filter for all queries behind a tab if there is one, and prints when that began and ended, in
   * nanoseconds of the monotonic clock, and how much it found.
   */
  void serve() throws Exception {
    var lines = new Lines(new InputStreamReader(System.in));
    var texts = new ArrayList<String>();
    for (String line = lines.next(); !line.isEmpty(); line = lines.next()) texts.add(line);
    Map<String, Query[]> logs = new HashMap<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        String[] parts = line.split("\t");
        String[] words = parts[0].split(" ");
        String filter = parts.length > 1 ? parts[1] : null;
        var log =
            logs.computeIfAbsent(
                words[0] + line.substring(parts[0].length()),
                _ -> parse(texts, words[0], filter));
        System.out.println(pass(pool, log, Integer.parseInt(words[1])));
      }
    }
  }

  private static Query[] parse(List<String> texts, String mode, String filter) {
    return texts.stream()
        .map(
            text ->
                filter == null
                    ? Questions.query(text, mode)
                    : Questions.query(text, mode, filter))
        .toArray(Query[]::new);
  }

  private String pass(ExecutorService pool, Query[] log, int k) throws Exception {
    List<Callable<Long>> shares = Collections.nCopies(threads, () -> share(log, k));
    next.set(0);
    long begin = System.nanoTime();
    long found = 0;
    for (var share : pool.invokeAll(shares)) found += share.get();
    return begin + " " + System.nanoTime() + " " + found;
  }

  /** Answers queries until there are no more; the sum of hits, or of counts if k is 0. */
  private long share(Query[] log, int k) throws IOException {
    long found = 0;
    for (int i = next.getAndIncrement(); i < log.length; i = next.getAndIncrement()) {
      found += questions.found(log[i], k, false);
    }
    return found;
  }
}
