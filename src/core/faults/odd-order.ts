/** Orders that are not nice: those that the Ordering Application makes up are drawn from the samples. */
import { z } from 'zod'
import { strictObject } from '../base/lazy-object.ts'
import { applySample, sampleMisfit } from '../partners/seed-data/apply-sample.ts'
import { type SampleName, sampleNamed, sampleNames } from '../partners/seed-data/samples.ts'
import { parseDateTime } from '../protocol/date-time.ts'
import { defineFault } from './fault.ts'

const SampleOption = z.enum(sampleNames)

const isConformant = (name: SampleName): boolean => sampleNamed(name).outside === undefined
const conformant = sampleNames.filter(isConformant)

/** Every sample that no document rules out is an order of a correct partner (ORD-UND-01, ORD-FLD-11 to ORD-FLD-18). */
export const oddOrder = defineFault({
  name: 'odd-order',
  summary: 'orders that the partner makes up have contents of a sample (sparring list samples)',
  code: 'O1',
  meets: ['arrival'],
  symptom: 'odd',
  traits: ['contents'],
  changesOrders: true,
  options: strictObject(() => ({
    sample: z
      .union([SampleOption, z.array(SampleOption).min(1)])
      .optional()
      .describe('of these samples alone; any that a correct partner may send, when absent'),
  })),
  legal: ({ sample = [] }) => [sample].flat().every(isConformant),
  missing: (_options, _anchor, { roles }) =>
    roles.includes('ordering-application') ? undefined : 'the orders are made up by your service',
  vary: () => ({}),
  plan({ sample = conformant }, planned, meeting, chance) {
    const { command } = planned
    if (meeting.kind !== 'arrival' || command.kind !== 'order.create') return undefined
    const { order } = command
    const { orderType } = order.fulfillment
    const fitting = [sample].flat().filter((name) => sampleMisfit(name, orderType) === undefined)
    const now = parseDateTime(order.createdAt)
    if (fitting.length === 0 || now === undefined) return undefined
    const odd = applySample(chance.pick(fitting), order, { chance, now })
    return odd.ok ? [{ ...planned, command: { ...command, order: odd.value } }] : undefined
  },
})
