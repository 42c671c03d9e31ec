# tilejit_library(name ROOMS rooms...): the rooms' objects merged into one library. It links what the rooms link of others',
# for its own use only, so whoever links the shared one needs nothing more.
function(tilejit_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" ROOMS)
  add_library(${name})
  foreach(room IN LISTS arg_ROOMS)
    if(NOT TARGET tilejit_${room})
      continue()
    endif()
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:tilejit_${room}>)
    get_target_property(libraries tilejit_${room} LINK_LIBRARIES)
    foreach(library IN LISTS libraries)
      if(library AND NOT library MATCHES "^tilejit_")
        target_link_libraries(${name} PRIVATE ${library})
      endif()
    endforeach()
  endforeach()
  target_include_directories(${name} INTERFACE $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                                               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${name} INTERFACE cxx_std_20)
  set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                                           LINKER_LANGUAGE CXX)
endfunction()
