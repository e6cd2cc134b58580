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
    this(folder, false);
  }

  private Questions(Path folder, boolean cached) throws IOException {
    reader = Index.open(folder);
    searcher = new IndexSearcher(reader);
    searcher.setSimilarity(Index.SIMILARITY);
    // A pass asks what the pass before asked.
    if (!cached) searcher.setQueryCache(null);
  }

  /** With the cache of queries that a searcher has by default, which keeps filters. */
  static Questions withCache(Path folder) throws IOException {
    return new Questions(folder, true);
  }

  /**
   * A query for any of some words ("or"), or for all ("and"); repeated ones count repeatedly. Words
   * may be followed by a tab and a filter, as Filters has it.
   */
  static Query query(String text, String mode) {
    int tab = text.indexOf('\t');
    if (tab < 0) return text.indexOf(' ') < 0 ? term(text) : words(text, mode).build();
    return query(text.substring(0, tab), mode, text.substring(tab + 1));
  }

  /** The same among the documents that pass a filter. */
  static Query query(String text, String mode, String filter) {
    var passing = Filters.of(filter);
    var query = words(text, mode);
    if (!mode.equals("and")) query = new BooleanQuery.Builder().add(query.build(), Occur.MUST);
    return query.add(passing, Occur.FILTER).build();
  }

  private static BooleanQuery.Builder words(String text, String mode) {
    var occur = mode.equals("and") ? Occur.MUST : Occur.SHOULD;
    var query = new BooleanQuery.Builder();
    for (String word : text.split(" ")) query.add(term(word), occur);
    return query;
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
