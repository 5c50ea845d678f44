/** Facts about faults. */
import { formatDuration } from '../../protocol/duration.ts'
import { setBounded } from '../bounded.ts'
import { factRow } from '../fact-row.ts'
import type { Instant } from '../instant.ts'
import type { Distortion } from './distortion.ts'
import type { ActiveFault } from './fault.ts'
import { addLiveFault, removeLiveFault } from './fault-index.ts'
import { tallyOf, updatedTally } from './slots.ts'
import { faultBounds, type FaultsWorld } from './world.ts'

const endTexts = {
  hang: 'no answer',
  reset: 'connection reset',
  truncate: 'truncated',
  'slow-body': 'in pieces',
} as const

/** Text of a distortion of a message. */
export function distortionText(distortion: Distortion): string {
  const { effect, reply, change, headers, afterMs, end, crash } = distortion
  const parts = [
    ...(reply ? [String(reply.status)] : []),
    ...(crash
      ? [`your service is ended ${crash.when === 'before-answer' ? 'before' : 'after'} the answer`]
      : end
        ? [endTexts[end]]
        : []),
    ...(afterMs === undefined ? [] : [`after ${formatDuration(afterMs)}`]),
    ...(change ? [`its body changed: ${change.kind}`] : []),
    ...(headers ? [`its headers changed: ${Object.keys(headers).join(', ')}`] : []),
  ]
  return `${parts.join(', ')}${effect ? '' : ', without effect'}`
}

const bracketed = (text: string | undefined): string => (text === undefined ? '' : ` (${text})`)

function retire(world: FaultsWorld, fault: ActiveFault, over: NonNullable<ActiveFault['over']>) {
  removeLiveFault(world, fault)
  setBounded(world.over, fault.id, { ...fault, over }, faultBounds.over)
}

function count(world: FaultsWorld, keys: readonly string[], at: Instant, fired: boolean): void {
  for (const key of keys)
    setBounded(
      world.tallies,
      key,
      updatedTally(tallyOf(world, key), at, fired),
      faultBounds.tallies,
    )
}

export interface FaultFired {
  readonly id: number
  /** Name of the fault; for one drawn by a storm, its own name. */
  readonly name: string
  /** Text of the fault as one line, for one drawn by a storm. */
  readonly text?: string
  /** Label of the fault point, by content: `ev(o2,CONFIRMED,webhook)`, `req(confirm,o2)`. */
  readonly on: string
  /** Tally keys under which it is counted. */
  readonly keys: readonly string[]
  readonly orderId?: string
  readonly legal: boolean
  /** Distortion of a message; absent for a plan, whose items show it. */
  readonly distortion?: Distortion
}

export const faultFacts = {
  /** A fault was added. */
  'fault.added': factRow<{ fault: ActiveFault }>({
    text: ({ fault }) => `fault ${fault.id} is active: ${fault.text}${bracketed(fault.idle)}`,
    apply({ faults }, { fault }) {
      addLiveFault(faults, fault)
      faults.nextId = Math.max(faults.nextId, fault.id + 1)
    },
  }),
  /** A fault ended. */
  'fault.removed': factRow<{ id: number; because: NonNullable<ActiveFault['over']> }>({
    text: ({ id, because }) => `fault ${id} is ${because}`,
    apply({ faults }, { id, because }) {
      const fault = faults.live.get(id)
      if (fault) retire(faults, fault, because)
    },
  }),
  /** A fault distorted a message or a plan. */
  'fault.fired': factRow<FaultFired>({
    text: ({ text, name, on, distortion }) =>
      `${text ?? name} on ${on}${distortion ? `: ${distortionText(distortion)}` : ''}`,
    apply({ faults }, { id, keys }, at) {
      count(faults, keys, at, true)
      const fault = faults.live.get(id)
      if (!fault) return
      const fired = { ...fault, fired: fault.fired + 1 }
      if (fired.limit !== undefined && fired.fired >= fired.limit) retire(faults, fired, 'spent')
      else faults.live.set(id, fired)
    },
  }),
  /** A fault matched a message without selecting it (nth, percent, burst). */
  'fault.passed': factRow<{ id: number; keys: readonly string[] }>({
    text: ({ id }) => `fault ${id} lets one pass`,
    apply: ({ faults }, { keys }, at) => count(faults, keys, at, false),
  }),
  /** All faults ended: delayed items are released, and nothing is distorted any more. */
  'fault.ended': factRow<object>({
    text: () => 'the end of faults',
    apply({ faults }, _fact, at) {
      faults.endedAt = at
    },
  }),
}
