# ctest includes this after it knows the tests of the programs: jobs of several processes run alone.
foreach(test IN LISTS test_mpi_TESTS)
  set_tests_properties("${test}" PROPERTIES RUN_SERIAL TRUE)
endforeach()
