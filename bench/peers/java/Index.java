package peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.MMapDirectory;

/** An index of analysed text: one segment, its documents in the order of the input. */
final class Index {
  static final String FIELD = "words";

  /** The parameters of base.py. */
  static final Similarity SIMILARITY = new BM25Similarity(0.9f, 0.4f);

  /** Megabytes of postings in memory, before a segment is written that is merged later. */
  private static final double BUFFER = 512;

  private Index() {}

  /** What a document has beside its words. */
  interface Adder {
    void add(Document document) throws IOException;
  }

  /** Indexes id, tab, words of every line; the id is the document's number. */
  static void build(Path documents, Path folder) throws IOException {
    build(documents, folder, _ -> {});
  }

  /** The same with more fields. */
  static void build(Path documents, Path folder, Adder more) throws IOException {
    var config = new IndexWriterConfig(new WhitespaceAnalyzer());
    config.setSimilarity(SIMILARITY);
    config.setRAMBufferSizeMB(BUFFER);
    config.setUseCompoundFile(false);
    // It merges neighbours alone, so documents stay in their order. So does a single thread.
    config.setMergePolicy(new LogDocMergePolicy());
    var words = new Field(FIELD, "", type());
    try (var directory = new MMapDirectory(folder);
        var writer = new IndexWriter(directory, config);
        var reader = Files.newBufferedReader(documents)) {
      var lines = new Lines(reader);
      for (String line = lines.next(); line != null; line = lines.next()) {
        words.setStringValue(line.substring(line.indexOf('\t') + 1));
        var document = new Document();
        document.add(words);
        more.add(document);
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
  }

  /** Frequencies and lengths; no positions, and nothing is stored. */
  private static FieldType type() {
    var type = new FieldType();
    type.setTokenized(true);
    type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    type.freeze();
    return type;
  }

  static DirectoryReader open(Path folder) throws IOException {
    var reader = DirectoryReader.open(new MMapDirectory(folder));
    if (reader.leaves().size() > 1) throw new IllegalStateException(folder + " is not one segment");
    return reader;
  }

  /** Documents and tokens, then every term with the documents that have it. */
  static void printStatistics(Path folder) throws IOException {
    var out = new StringBuilder();
    try (var reader = open(folder)) {
      out.append(reader.numDocs()).append('\t').append(reader.getSumTotalTermFreq(FIELD));
      var terms = MultiTerms.getTerms(reader, FIELD).iterator();
      for (var term = terms.next(); term != null; term = terms.next()) {
        out.append('\n').append(term.utf8ToString()).append('\t').append(terms.docFreq());
      }
    }
    System.out.println(out);
  }
}
