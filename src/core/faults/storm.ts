/**
 * A storm: at a share of all fault points, one conformant fault that acts there, with drawn options. A few calls fail until
 * the caller gives up: what comes after the last try is met as well. It gets the other faults as a parameter, so they do
 * not depend on each other.
 */
import { z } from 'zod'
import type { Chance } from '../engine/chance.ts'
import type { FaultPoint } from '../engine/faults/fault-point.ts'
import { defineFault, type FaultDraw, type FaultDefinition, isLegalFault } from './fault.ts'

/** Shuffled. */
function shuffled<Value>(values: readonly Value[], chance: Chance): readonly Value[] {
  const rest = [...values]
  return values.flatMap(() => rest.splice(chance.below(rest.length), 1))
}

export function createStorm(members: readonly FaultDefinition[]): FaultDefinition {
  const names = members.map(({ name }) => name) as [string, ...string[]]
  const name = z.enum(names)
  const nameOrNames = z.union([name, z.array(name).min(1)]).optional()
  const options = z.strictObject({
    only: nameOrNames.describe('these faults and no others'),
    except: nameOrNames.describe('all faults but these'),
    even: z
      .literal('robustness')
      .optional()
      .describe('also what no correct partner does; what it finds is advice'),
  })
  type Options = z.infer<typeof options>

  const listed = (value: Options['only']): readonly string[] | undefined =>
    typeof value === 'string' ? [value] : value

  function candidates({ only, except }: Options): readonly FaultDefinition[] {
    const wanted = listed(only)
    const unwanted = listed(except)
    return members.filter(
      (each) =>
        (wanted === undefined
          ? !each.changesOrders && !each.isNamedOnly
          : wanted.includes(each.name)) && unwanted?.includes(each.name) !== true,
    )
  }

  function* draws(
    chosen: Options,
    { kind }: FaultPoint,
    chance: Chance,
    isOutlasted: boolean,
  ): Generator<FaultDraw> {
    const isConformant = chosen.even !== 'robustness'
    // Those that are never conformant are left out before the draw: a new one must not change the storms of old seeds.
    const possible = candidates(chosen).filter(
      ({ meets, legal, isRetried }) =>
        meets.includes(kind) &&
        !(isConformant && legal === false) &&
        (!isOutlasted || isRetried === true),
    )
    for (const fault of shuffled(possible, chance)) {
      const drawn = fault.vary(chance)
      if (!isConformant || isLegalFault(fault, drawn)) yield { fault, options: drawn }
    }
  }

  return defineFault<Options>({
    name: 'storm',
    summary: 'random faults: at a share of all fault points, one fault that acts there',
    code: '*',
    meets: ['handover', 'effect', 'answer', 'call'],
    legal: ({ even }) => even === undefined,
    options,
    percent: 20,
    outlastShare: 0.2,
    vary: () => ({}),
    replacements: draws,
  })
}
