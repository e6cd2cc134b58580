# ctest includes this after it knows the tests of the programs: those in which several threads work on the same data get
# the label `concurrent` too (preset tsan runs them).
set(concurrent "Concurrent|Thread|Builder|BuildBudget|Pipeline|Rounds|TokenCache|VerifyIndex|Searcher|SearchTest|SearchColumns|PrunedSearch|FilteredSearch|FilterCaches|BoundedPool")
foreach(area index query soak)
  foreach(test IN LISTS test_${area}_TESTS)
    if(test MATCHES "${concurrent}|^Soak")
      set_tests_properties("${test}" PROPERTIES LABELS "${area};concurrent")
    endif()
  endforeach()
endforeach()
