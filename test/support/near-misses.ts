/** Tests of near misses: what just breaks a rule, and what almost does, as steps on a clock. */
import { describe, expect, test } from 'vitest'
import type { Fact } from '../../src/core/engine/fact.ts'
import type { FactOrigin } from '../../src/core/engine/journal.ts'
import { invariants } from '../../src/core/rules/invariants/catalogue.ts'
import type { ObservedEffects } from '../../src/core/rules/invariants/tracking/tracker-state.ts'
import type { Invariant } from '../../src/core/rules/invariants/invariant.ts'
import { isInconclusive } from '../../src/core/rules/invariants/verdict.ts'
import { parseNearMisses } from './near-miss-script.ts'
import {
  createScriptedJudge,
  type ScriptedCall,
  type ScriptedJudgeOptions,
} from './scripted-judge.ts'
import { noon } from './transcript.ts'

/** Each at a time in milliseconds after noon, in the order in which it ends. */
type Step =
  | (ScriptedCall & { readonly at: number })
  | { readonly at: number; readonly fact: Fact; readonly by?: FactOrigin }
  /** The service itself reports the status of an order, or none. */
  | { readonly at: number; readonly probed: string; readonly status?: string }
  /** So many effects of an order are counted, or they cannot be. */
  | {
      readonly at: number
      readonly counted: string
      readonly kind: string
      readonly count?: number
      readonly mayRepeat: boolean
      readonly evenIfCancelled: boolean
    }
  /** An operator has the service request the cancellation of an order. */
  | { readonly at: number; readonly operatorCancels: string }
  /** The time of the verdict. */
  | { readonly at: number }

export type Steps = Step | readonly Steps[]

const merchants = [{ merchantId: 'loja-1', name: 'Loja Um', status: 'OPEN' } as const]

const flat = (steps: Steps): readonly Step[] =>
  Array.isArray(steps) ? (steps as readonly Steps[]).flatMap(flat) : [steps as Step]

interface NearMissSettings extends Pick<ScriptedJudgeOptions, 'conduct'> {
  readonly lagMs: number
}

function verdictOf(rule: Invariant, play: Steps, { lagMs, conduct }: NearMissSettings) {
  const between = (from: number, to: number): number => (from <= to ? lagMs : 0)
  const scripted = createScriptedJudge({ invariants: [rule], merchants, conduct, lag: { between } })
  const { judge } = scripted
  function waitUntil(at: number): void {
    const ms = noon + at - judge.tracker.now
    if (ms < 0) throw new Error(`a step at ${at} ms comes ${-ms} ms too late`)
    scripted.pass(ms)
  }
  for (const step of flat(play)) {
    if ('operation' in step) {
      scripted.call(step)
      continue
    }
    waitUntil(step.at)
    if ('fact' in step) scripted.tell(step.fact, step.by)
    else if ('operatorCancels' in step) judge.operatorRequestedCancellation(step.operatorCancels)
    else if ('counted' in step) judge.effects(effectsOf(step))
    else if ('probed' in step)
      judge.probe({ orderId: step.probed, status: step.status, at: noon + step.at })
  }
  const [verdict] = judge.verdicts()
  if (!verdict) throw new Error(`${rule.id} does not bind a Software Service`)
  return verdict
}

type Counted = Extract<Step, { counted: string }>

function effectsOf({ at, counted: orderId, count, ...kind }: Counted): ObservedEffects {
  const counts = count === undefined ? [] : [{ ...kind, count }]
  const failures = count === undefined ? { [kind.kind]: 'it ended with 1' } : {}
  return { orderId, at: noon + at, counts, failures }
}

const containing = (text: string | RegExp): unknown =>
  typeof text === 'string'
    ? (expect.stringContaining(text) as unknown)
    : (expect.stringMatching(text) as unknown)

/** One test for each case of the script. */
export const nearMisses =
  (id: string, conduct?: NearMissSettings['conduct']) =>
  (script: string): void => {
    const rule = invariants.find((each) => each.id === id)
    if (!rule) throw new Error(`there is no rule ${id}`)
    const rows = parseNearMisses(script)
    describe(`${rule.id} ${rule.name}`, () => {
      test.each(rows)('[$clause] $title', ({ play, expected, lagMs }) => {
        const { outcome, findings } = verdictOf(rule, play, { lagMs, conduct })
        const found = findings.map(({ because, orderId, evidence, advice, ...finding }) => [
          because,
          orderId,
          evidence.map(({ at }) => at - noon),
          ...(advice ? ['advice'] : []),
          ...(isInconclusive(finding) ? ['inconclusive'] : []),
        ])
        if (typeof expected === 'string')
          return expect({ outcome, found }).toEqual({ outcome: expected, found: [] })
        const wanted = expected.map(([because, ...rest]) => [containing(because), ...rest])
        expect(found).toEqual(wanted)
        const isDoubtful = expected.every(([, , , mark]) => mark === 'inconclusive')
        expect(outcome).toBe(isDoubtful ? 'inconclusive' : 'failed')
      })
    })
  }
