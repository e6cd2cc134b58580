package peers;

import java.nio.file.Path;
import java.util.Arrays;

/** Lucene, asked by engines/lucene.py, which says what the commands take and give. */
final class Main {
  private Main() {}

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "versions" -> Versions.print();
      case "build" -> Index.build(Path.of(arguments[1]), Path.of(arguments[2]));
      case "statistics" -> Index.printStatistics(Path.of(arguments[1]));
      case "build-columns" ->
          Columns.build(
              Path.of(arguments[1]),
              Path.of(arguments[2]),
              Path.of(arguments[3]),
              Arrays.asList(arguments).subList(4, arguments.length));
      case "answers" -> {
        try (var questions = new Questions(Path.of(arguments[1]))) {
          new Answers(questions, arguments[2], Integer.parseInt(arguments[3])).print();
        }
      }
      case "totals" -> {
        try (var questions = new Questions(Path.of(arguments[1]))) {
          new Answers(questions, arguments[2], Integer.parseInt(arguments[3])).printTotals();
        }
      }
      case "latencies" -> {
        try (var questions = new Questions(Path.of(arguments[1]))) {
          new Latencies(questions).serve();
        }
      }
      case "passes" -> {
        try (var questions = new Questions(Path.of(arguments[1]))) {
          new Passes(questions, Integer.parseInt(arguments[2])).serve();
        }
      }
      case "passes-cached" -> {
        try (var questions = Questions.withCache(Path.of(arguments[1]))) {
          new Passes(questions, Integer.parseInt(arguments[2])).serve();
        }
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }
}
