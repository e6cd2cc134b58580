package peers;

import java.nio.file.Path;

/** Lucene as the other engines are, for engines/lucene.py, which starts it. */
final class Main {
  private Main() {}

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "versions" -> Versions.print();
      case "build" -> Index.build(Path.of(arguments[1]), Path.of(arguments[2]));
      case "statistics" -> Index.printStatistics(Path.of(arguments[1]));
      case "answers" -> {
        try (var questions = open(arguments)) {
          new Answers(questions).print();
        }
      }
      case "passes" -> {
        try (var questions = open(arguments)) {
          new Passes(questions, Integer.parseInt(arguments[4])).serve();
        }
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  /** The index, the mode and k, which two commands begin with. */
  private static Questions open(String[] arguments) throws Exception {
    return new Questions(
        Path.of(arguments[1]), arguments[2].equals("and"), Integer.parseInt(arguments[3]));
  }
}
