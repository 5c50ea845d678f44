/** Rows of faults: active ones first, then ended ones, each oldest first. */
import { compact } from '../base/compact.ts'
import type { ActiveFault } from '../engine/faults/fault.ts'
import type { World } from '../engine/world.ts'
import type { FaultRow } from '../session-api/session-api.ts'

export const faultRow = (fault: ActiveFault): FaultRow => {
  const { id, name, text, legal, since, fired, over, forMs, limit, idle } = fault
  return { id, name, text, legal, since, fired, ...compact({ over, forMs, limit, idle }) }
}

export const faultRows = ({ faults }: World): readonly FaultRow[] =>
  [...faults.live.values(), ...faults.over.values()].map(faultRow)
