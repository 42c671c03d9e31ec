#include <tilejit/runtime/emulator/kernel/specials.h>

#include <map>

namespace tilejit::emulator {

const SpecialRegister* find_special(std::string_view name) {
  using Kind = SpecialRegister::Kind;
  static const std::map<std::string_view, SpecialRegister> all = {
      {"%tid.x", {Kind::warp, 0, Special::tid_x}},
      {"%tid.y", {Kind::warp, 0, Special::tid_y}},
      {"%tid.z", {Kind::warp, 0, Special::tid_z}},
      {"%warpid", {Kind::warp, 0, Special::warpid}},
      {"%ntid.x", {Kind::filled, 0, Special::ntid_x}},
      {"%ntid.y", {Kind::filled, 0, Special::ntid_y}},
      {"%ntid.z", {Kind::filled, 0, Special::ntid_z}},
      {"%ctaid.x", {Kind::filled, 0, Special::ctaid_x}},
      {"%ctaid.y", {Kind::filled, 0, Special::ctaid_y}},
      {"%ctaid.z", {Kind::filled, 0, Special::ctaid_z}},
      {"%nctaid.x", {Kind::filled, 0, Special::nctaid_x}},
      {"%nctaid.y", {Kind::filled, 0, Special::nctaid_y}},
      {"%nctaid.z", {Kind::filled, 0, Special::nctaid_z}},
      {"%nwarpid", {Kind::filled, 0, Special::nwarpid}},
      {"%smid", {Kind::filled, 0, Special::smid}},
      {"%nsmid", {Kind::filled, 0, Special::nsmid}},
      {"%gridid", {Kind::filled, 0, Special::gridid}},
      {"%dynamic_smem_size", {Kind::filled, 0, Special::dynamic_shared}},
      {"%total_smem_size", {Kind::filled, 0, Special::total_shared}},
      {"%aggr_smem_size", {Kind::filled, 0, Special::total_shared}},
      {"%laneid", {Kind::lanes, 0}},
      {"%lanemask_eq", {Kind::lanes, 1}},
      {"%lanemask_le", {Kind::lanes, 2}},
      {"%lanemask_lt", {Kind::lanes, 3}},
      {"%lanemask_ge", {Kind::lanes, 4}},
      {"%lanemask_gt", {Kind::lanes, 5}},
      {"WARP_SZ", {Kind::constant, 32}},
      {"%clock", {Kind::clock, 0}},
      {"%clock_hi", {Kind::clock, 32}},
      {"%clock64", {Kind::clock, 64}},
      {"%globaltimer", {Kind::timer, 64}},
      {"%globaltimer_lo", {Kind::timer, 0}},
      {"%globaltimer_hi", {Kind::timer, 32}},
      // A grid without clusters is one of clusters of one block.
      {"%clusterid.x", {Kind::filled, 0, Special::ctaid_x}},
      {"%clusterid.y", {Kind::filled, 0, Special::ctaid_y}},
      {"%clusterid.z", {Kind::filled, 0, Special::ctaid_z}},
      {"%nclusterid.x", {Kind::filled, 0, Special::nctaid_x}},
      {"%nclusterid.y", {Kind::filled, 0, Special::nctaid_y}},
      {"%nclusterid.z", {Kind::filled, 0, Special::nctaid_z}},
      {"%cluster_ctaid.x", {Kind::constant, 0}},
      {"%cluster_ctaid.y", {Kind::constant, 0}},
      {"%cluster_ctaid.z", {Kind::constant, 0}},
      {"%cluster_nctaid.x", {Kind::constant, 1}},
      {"%cluster_nctaid.y", {Kind::constant, 1}},
      {"%cluster_nctaid.z", {Kind::constant, 1}},
      {"%cluster_ctarank", {Kind::constant, 0}},
      {"%cluster_nctarank", {Kind::constant, 1}},
  };
  const auto found = all.find(name);
  return found == all.end() ? nullptr : &found->second;
}

LaneValues lane_values(std::uint64_t which) {
  LaneValues out{};
  for (std::uint32_t i = 0; i < 32; ++i) {
    const std::uint32_t eq = 1u << i, lt = eq - 1;
    const std::uint32_t masks[] = {i, eq, lt | eq, lt, ~lt, ~(lt | eq)};
    out.values[i] = masks[which];
  }
  return out;
}

}  // namespace tilejit::emulator
