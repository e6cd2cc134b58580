package peers;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopScoreDocCollectorManager;

/** An open index, asked for the best matches of queries, or for their number. */
final class Questions implements AutoCloseable {
  private final DirectoryReader reader;
  private final IndexSearcher searcher;

  Questions(Path folder) throws IOException {
    reader = Index.open(folder);
    searcher = new IndexSearcher(reader);
    searcher.setSimilarity(Index.SIMILARITY);
    // A pass asks what the pass before asked.
    searcher.setQueryCache(null);
  }

  /** A query for any of some words ("or"), or for all ("and"); repeated ones count repeatedly. */
  static Query query(String text, String mode) {
    String[] words = text.split(" ");
    if (words.length == 1) return term(words[0]);
    var occur = mode.equals("and") ? Occur.MUST : Occur.SHOULD;
    var query = new BooleanQuery.Builder();
    for (String word : words) query.add(term(word), occur);
    return query.build();
  }

  private static Query term(String word) {
    return new TermQuery(new Term(Index.FIELD, word));
  }

  /**
   * The k best hits, as numbers of documents with their scores.
   *
   * <p>With k as the threshold Lucene counts no further than it has to, and leaves out what cannot
   * be among the best. IndexSearcher.search(query, k) would count up to 1,000 matches first.
   */
  ScoreDoc[] hits(Query query, int k) throws IOException {
    return searcher.search(query, new TopScoreDocCollectorManager(k, null, k)).scoreDocs;
  }

  int count(Query query) throws IOException {
    return searcher.count(query);
  }

  /** How many documents match, told by a search for the k best hits, which then sees them all. */
  long countBesideHits(Query query, int k) throws IOException {
    var all = new TopScoreDocCollectorManager(k, null, Integer.MAX_VALUE);
    return searcher.search(query, all).totalHits.value();
  }

  /** The number of hits, or of matches if they are counted. */
  long found(Query query, int k, boolean counted) throws IOException {
    if (k == 0) return count(query);
    return counted ? countBesideHits(query, k) : hits(query, k).length;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
