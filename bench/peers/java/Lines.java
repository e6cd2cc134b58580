package peers;

import java.io.IOException;
import java.io.Reader;

/** Lines that end with a newline and nothing else: ids of documents may have other line ends. */
final class Lines {
  private final Reader reader;
  private final char[] letters = new char[1 << 16];
  private int begin;
  private int end;

  Lines(Reader reader) {
    this.reader = reader;
  }

  /** The next line, or null. */
  String next() throws IOException {
    if (begin == end && !fill()) return null;
    var line = new StringBuilder();
    do {
      int here = newline();
      line.append(letters, begin, here - begin);
      begin = Math.min(here + 1, end);
      if (here < end) break;
    } while (fill());
    return line.toString();
  }

  /** Where the next newline is, or the end of what has been read. */
  private int newline() {
    int here = begin;
    while (here < end && letters[here] != '\n') ++here;
    return here;
  }

  /** Reads what there is; whether there was anything. */
  private boolean fill() throws IOException {
    begin = 0;
    end = Math.max(reader.read(letters), 0);
    return end > 0;
  }
}
