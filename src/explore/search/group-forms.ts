/** What the schedules of a group of neighbours have in common, and where a schedule stands among those drawn in the same way. */
import { createGroupFinder, type GroupSizes, type NeighbourGroup, nextGroup } from './neighbours.ts'
import { permanent, permanentLater } from './strategies/permanent.ts'
import {
  denseSharedFaults,
  noSharedFaults,
  renewalSharedFaults,
  type SharedForm,
  singleSharedFault,
  successiveSharedFaults,
} from './strategies/shared-faults.ts'
import type { Strategy } from './strategies/strategy.ts'

export interface GroupForm {
  readonly shared: SharedForm
  /** In place of the usual strategies. */
  readonly only?: Strategy
}

const unshared: GroupForm = { shared: noSharedFaults }
const permanentOnly: GroupForm = { shared: noSharedFaults, only: permanent }
const permanentLaterOnly: GroupForm = { shared: noSharedFaults, only: permanentLater }
const renewal: GroupForm = { shared: renewalSharedFaults }
const successive: GroupForm = { shared: successiveSharedFaults }
const many: GroupForm = { shared: denseSharedFaults }
const single: GroupForm = { shared: singleSharedFault }

/** What groups of neighbours have in common, in turn. */
const groupForms: readonly GroupForm[] = [
  unshared,
  permanentOnly,
  successive,
  unshared,
  renewal,
  permanentLaterOnly,
  many,
  unshared,
  successive,
  many,
  unshared,
  single,
]

/** The place of a schedule in its group. */
export interface GroupPlace {
  readonly group: NeighbourGroup
  readonly form: GroupForm
  /** How many groups before it have the same form. */
  readonly groupTurn: number
  /** How many schedules before it are drawn by the same only strategy, or else by the usual ones. */
  readonly turn: number
}

/** Finds the place of a schedule: a pure function of its number. */
export function createPlaceFinder(sizes: GroupSizes): (index: number) => GroupPlace {
  const groupOf = createGroupFinder(sizes)
  /** Of the first schedule of each group. */
  const places: GroupPlace[] = []
  const groupTurns = new Map<GroupForm, number>()
  const turns = new Map<Strategy | undefined, number>()

  function addPlace(): void {
    const group = nextGroup(sizes, places.at(-1)?.group)
    const form = groupForms[group.number % groupForms.length] ?? unshared
    const [groupTurn, turn] = [groupTurns.get(form) ?? 0, turns.get(form.only) ?? 0]
    places.push({ group, form, groupTurn, turn })
    groupTurns.set(form, groupTurn + 1)
    turns.set(form.only, turn + group.end - group.begin)
  }

  return (index) => {
    const { number } = groupOf(index)
    while (places.length <= number) addPlace()
    const place = places[number]
    if (!place) throw new Error(`there is no group ${number}`)
    return { ...place, turn: place.turn + index - place.group.begin }
  }
}
