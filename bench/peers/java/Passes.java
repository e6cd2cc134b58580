package peers;

import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
  private Query[] log;

  Passes(Questions questions, int threads) {
    this.questions = questions;
    this.threads = threads;
  }

  /**
   * Reads the log, which ends with an empty line; then passes once for every line, and prints when
   * that began and ended, in nanoseconds of the monotonic clock, and how much it found.
   */
  void serve() throws Exception {
    var lines = new Lines(new InputStreamReader(System.in));
    log = read(lines);
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      while (lines.next() != null) System.out.println(pass(pool));
    }
  }

  private Query[] read(Lines lines) throws IOException {
    var queries = new ArrayList<Query>();
    for (String line = lines.next(); !line.isEmpty(); line = lines.next()) {
      queries.add(questions.query(line));
    }
    return queries.toArray(new Query[0]);
  }

  private String pass(ExecutorService pool) throws Exception {
    List<Callable<Long>> shares = Collections.nCopies(threads, this::share);
    next.set(0);
    long begin = System.nanoTime();
    long found = 0;
    for (var share : pool.invokeAll(shares)) found += share.get();
    long end = System.nanoTime();
    return begin + " " + end + " " + found;
  }

  /** Answers queries until there are no more; the sum of hits, or of counts. */
  private long share() throws IOException {
    long found = 0;
    for (int i = next.getAndIncrement(); i < log.length; i = next.getAndIncrement()) {
      found += questions.k == 0 ? questions.count(log[i]) : questions.hits(log[i]).length;
    }
    return found;
  }
}
