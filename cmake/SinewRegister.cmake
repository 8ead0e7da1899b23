# The families that the library holds. Each line
#
#   sinew_register_joint(spherical Spherical)
#
# makes one small source with the sweeps of that type (so that families compile in parallel), and
# sinew_write_registry() makes the table of all, in the order of the lines: family numbers must agree on every rank.
# NAME is that of the header, kernels/joints/spherical.hpp; TYPE is the struct in it. Behind them stands what
# kernels/registration.hpp lists: how the model file names the type, and which place it has there.
include_guard(GLOBAL)

function(sinew_register_element name type)
  _sinew_register_family(element elements Element varying_mass ${name} ${type})  # on top of the sweeps of elements
endfunction()

function(sinew_register_joint name type)
  _sinew_register_family(joint joints Joint joint ${name} ${type})
  _sinew_note_registration(joint ${name} ${ARGN})
endfunction()

function(sinew_register_force name type)
  _sinew_register_family(force loads Force force ${name} ${type})
  _sinew_note_registration(force ${name} ${ARGN})
endfunction()

# What stands behind name and struct, as an initialiser of Registration.
function(_sinew_note_registration kind name)
  cmake_parse_arguments(PARSE_ARGV 2 says "INTERNAL;DRIVE;ALL_NODES;GROUND_IS_ORIGIN;SPREAD;LINE_FIRST"
    "TYPE;KEY;OWN;ON_FRAME;ON_LINE;ONE_WAY;ON_BODY;BODY_WAY;COORDINATE" "")
  if(says_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${kind} ${name}: '${says_UNPARSED_ARGUMENTS}' means nothing; see kernels/registration.hpp")
  endif()
  set(text "")
  foreach(word TYPE KEY OWN ON_FRAME ON_LINE ONE_WAY ON_BODY BODY_WAY COORDINATE)
    string(APPEND text "\"${says_${word}}\", ")
  endforeach()
  foreach(claim INTERNAL DRIVE ALL_NODES GROUND_IS_ORIGIN SPREAD LINE_FIRST)
    if(says_${claim})
      string(APPEND text "true, ")
    else()
      string(APPEND text "false, ")
    endif()
  endforeach()
  string(REGEX REPLACE ", $" "" text "${text}")
  set_property(GLOBAL APPEND PROPERTY SINEW_REGISTRATIONS_${kind} "      {${text}},\n")
endfunction()

# A law of kernels/material/NAME.hpp, with every solid of kernels/elements/solids.hpp that SINEW_SOLIDS names.
function(sinew_register_law name type)
  if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/material/${name}.hpp")
    message(FATAL_ERROR "law ${name} is registered, but kernels/material/${name}.hpp does not exist")
  endif()
  foreach(solid ${SINEW_SOLIDS})
    string(REPLACE ":" ";" solid "${solid}")
    list(GET solid 0 shape)
    list(GET solid 1 template)
    set(entry solid_${shape}_${name})
    set(law "kernels/material/${name}.hpp")
    _sinew_write_entry(${entry} "${template}<${type}>"
      "kernels/elements/solid_entry.hpp;kernels/elements/solids.hpp;${law};kernels/sweep/element_entry.hpp"
      element:Element solid:Solid)
    # What sensors ask of its points stands apart, so that it changes without the sweeps being compiled again.
    _sinew_write_entry(${entry} "${template}<${type}>"
      "kernels/elements/solid_point.hpp;kernels/elements/solids.hpp;${law};kernels/material/stress.hpp" solid_point:SolidPoint)
  endforeach()
endfunction()

# A load on surfaces, kernels/loads/NAME.hpp, with every shape of face that SINEW_FACES names.
function(sinew_register_surface_load name type)
  if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/loads/${name}.hpp")
    message(FATAL_ERROR "surface load ${name} is registered, but kernels/loads/${name}.hpp does not exist")
  endif()
  foreach(face ${SINEW_FACES})
    string(REPLACE ":" ";" face "${face}")
    list(GET face 0 shape)
    list(GET face 1 template)
    set(entry ${name}_${shape})
    _sinew_write_entry(${entry} "${type}<${template}>"
      "kernels/loads/${name}.hpp;kernels/sweep/force_family.hpp;kernels/sweep/surface_loads.hpp" surface_load:SurfaceLoad:force)
  endforeach()
endfunction()

# Writes the file only where it changes, so that nothing is compiled again for nothing.
function(_sinew_write_if_different file text)
  file(CONFIGURE OUTPUT "${file}" CONTENT "${text}" @ONLY)
endfunction()

# Writes the source of an entry of the tables: its function is KIND_entry_ENTRY, which returns what make_KIND_entry<TYPE> or, where
# a maker is named, make_MAKER_entry<TYPE> makes. After the headers one KIND:Kind[:MAKER] for each table that has the entry; the
# first names the file.
function(_sinew_write_entry entry type headers)
  set(includes "")
  foreach(header ${headers})
    string(APPEND includes "#include \"${header}\"\n")
  endforeach()
  set(declarations "")
  set(definitions "")
  foreach(table ${ARGN})
    string(REPLACE ":" ";" table "${table}")
    list(GET table 0 kind)
    list(GET table 1 Kind)
    list(GET table -1 maker)
    if(maker STREQUAL Kind)
      set(maker ${kind})
    endif()
    string(APPEND declarations "${Kind}Entry ${kind}_entry_${entry}();\n")
    string(APPEND definitions "${Kind}Entry ${kind}_entry_${entry}() { return make_${maker}_entry<${type}>(); }\n")
    set_property(GLOBAL APPEND PROPERTY SINEW_REGISTERED_${kind} ${entry})
  endforeach()
  list(GET ARGN 0 first)
  string(REGEX REPLACE ":.*" "" first "${first}")
  set(file "${CMAKE_CURRENT_BINARY_DIR}/generated/${first}_${entry}.cpp")
  string(CONCAT text
    "// Written by CMake from kernels/CMakeLists.txt.\n${includes}\nnamespace sinew {\n\n"
    "${declarations}\n${definitions}\n}  // namespace sinew\n")
  _sinew_write_if_different("${file}" "${text}")
  set_property(GLOBAL APPEND PROPERTY SINEW_REGISTERED_SOURCES "${file}")
endfunction()

# SWEEPS: those of kernels/sweep/SWEEPS_family.hpp.
function(_sinew_register_family kind folder Kind sweeps name type)
  get_property(known GLOBAL PROPERTY SINEW_REGISTERED_${kind})
  if(name IN_LIST known)
    message(FATAL_ERROR "${kind} ${name} is registered twice")
  endif()
  if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/${name}.hpp")
    message(FATAL_ERROR "${kind} ${name} is registered, but kernels/${folder}/${name}.hpp does not exist")
  endif()
  _sinew_write_entry(${name} ${type} "kernels/${folder}/${name}.hpp;kernels/sweep/${sweeps}_family.hpp" ${kind}:${Kind})
endfunction()

# The function of the table for one kind: elements, joints, forces, surface loads or solids.
function(_sinew_registry_table kind Kind result)
  get_property(names GLOBAL PROPERTY SINEW_REGISTERED_${kind})
  set(declarations "")
  set(calls "")
  foreach(name ${names})
    string(APPEND declarations "${Kind}Entry ${kind}_entry_${name}();\n")
    string(APPEND calls "      ${kind}_entry_${name}(),\n")
  endforeach()
  string(CONCAT text
    "${declarations}\n"
    "const std::vector<${Kind}Entry>& registered_${kind}s() {\n"
    "  static const std::vector<${Kind}Entry> entries{\n${calls}  };\n"
    "  return entries;\n}\n\n")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# The function of the table of what the lines of one kind say.
function(_sinew_registration_table kind result)
  get_property(entries GLOBAL PROPERTY SINEW_REGISTRATIONS_${kind})
  string(CONCAT entries ${entries})
  string(CONCAT text
    "const std::vector<Registration>& ${kind}_registrations() {\n"
    "  static const std::vector<Registration> all{\n${entries}  };\n"
    "  return all;\n}\n\n")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Sets SOURCES to all generated files. As long as the sweeps do not exist the table is an empty file.
function(sinew_write_registry sources)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/generated/registry.cpp")
  set(text "// Written by CMake from kernels/CMakeLists.txt.\n")
  if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/sweep/registry.hpp")
    _sinew_registry_table(element Element elements)
    _sinew_registry_table(joint Joint joints)
    _sinew_registry_table(force Force forces)
    _sinew_registry_table(surface_load SurfaceLoad surface_loads)
    _sinew_registry_table(solid Solid solids)
    _sinew_registry_table(solid_point SolidPoint solid_points)
    _sinew_registration_table(joint said_of_joints)
    _sinew_registration_table(force said_of_forces)
    string(APPEND text "#include \"kernels/elements/solid_entry.hpp\"\n#include \"kernels/elements/solid_point.hpp\"\n"
      "#include \"kernels/registration.hpp\"\n#include \"kernels/sweep/surface_loads.hpp\"\n\n#include <vector>\n\n"
      "namespace sinew {\n\n${elements}${joints}${forces}${surface_loads}${solids}${solid_points}"
      "${said_of_joints}${said_of_forces}}  // namespace sinew\n")
  endif()
  _sinew_write_if_different("${file}" "${text}")
  get_property(generated GLOBAL PROPERTY SINEW_REGISTERED_SOURCES)
  set(${sources} ${generated} "${file}" PARENT_SCOPE)
endfunction()

# A type of body: TYPE is the class in src/bodies/NAME.hpp.
function(sinew_register_body name type)
  get_property(known GLOBAL PROPERTY SINEW_REGISTERED_body)
  if("${name}:${type}" IN_LIST known)
    message(FATAL_ERROR "body ${name} is registered twice")
  endif()
  if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/bodies/${name}.hpp")
    message(FATAL_ERROR "body ${name} is registered, but src/bodies/${name}.hpp does not exist")
  endif()
  set_property(GLOBAL APPEND PROPERTY SINEW_REGISTERED_body "${name}:${type}")
endfunction()

# The table of all types of bodies, in the order of the lines.
function(sinew_write_body_registry sources)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/generated/body_registry.cpp")
  set(includes "")
  set(types "")
  get_property(registered GLOBAL PROPERTY SINEW_REGISTERED_body)
  foreach(body ${registered})
    string(REPLACE ":" ";" body "${body}")
    list(GET body 0 name)
    list(GET body 1 type)
    string(APPEND includes "#include \"bodies/${name}.hpp\"\n")
    string(APPEND types "      body_type<${type}>(),\n")
  endforeach()
  _sinew_write_if_different("${file}" "// Written by CMake from src/CMakeLists.txt.\n${includes}\nnamespace sinew {\n
const std::vector<BodyType>& registered_bodies() {\n  static const std::vector<BodyType> all{\n${types}  };\n  return all;\n}\n
}  // namespace sinew\n")
  set(${sources} "${file}" PARENT_SCOPE)
endfunction()
