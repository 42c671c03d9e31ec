# What `cmake --install` lays down: libtilejit, the program, the public headers, and the CMake package with
# tilejit_embed_templates().
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tilejit)
install(TARGETS tilejit EXPORT tilejit)
install(EXPORT tilejit NAMESPACE tilejit:: FILE tilejitTargets.cmake DESTINATION ${package})
foreach(program IN ITEMS tilejit_tool tilejit_emulated_cuda)
  if(TARGET ${program})
    install(TARGETS ${program})
  endif()
endforeach()

foreach(header IN LISTS TILEJIT_PUBLIC_HEADERS)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tilejit/${folder})
endforeach()

configure_file(${PROJECT_SOURCE_DIR}/cmake/tilejitConfig.cmake.in ${PROJECT_BINARY_DIR}/tilejitConfig.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tilejitConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tilejitConfig.cmake ${PROJECT_BINARY_DIR}/tilejitConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/tilejit_embed_templates.cmake
              ${PROJECT_SOURCE_DIR}/cmake/tilejit_write_embedded.cmake
        DESTINATION ${package})
