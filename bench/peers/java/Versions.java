package peers;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.lucene.util.VectorUtil;
import org.apache.lucene.util.Version;

/** What is measured. */
final class Versions {
  private Versions() {}

  /** Lucene's version, Java's, and what Lucene says when it looks for Java's module of vectors. */
  static void print() {
    System.out.println(Version.LATEST);
    System.out.println(Runtime.version());
    System.out.println(String.join(" ", saidOfVectors()));
  }

  /** Lucene keeps to itself what it found, but for its log. */
  private static List<String> saidOfVectors() {
    var said = new ArrayList<String>();
    var logger = Logger.getLogger("org.apache.lucene.internal.vectorization");
    logger.setUseParentHandlers(false);
    logger.addHandler(
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            said.add(record.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
    VectorUtil.dotProduct(new float[] {1}, new float[] {1});
    return said;
  }
}
