/** Routes for faults: list, add, remove, end. */
import { z } from 'zod'
import type { Fact } from '../../engine/fact.ts'
import type { FaultRow, SessionApi } from '../../session-api/session-api.ts'
import { jsonAnswer, noContent, refusalAnswer } from './answer.ts'
import { commandRefusals, defineRoute, getRoute, gives, postRoute, deleteRoute } from './route.ts'
import { controlSchemas } from './schemas.ts'
import { JsonValue } from '../../protocol/json-value.ts'
import { strictObject } from '../../base/lazy-object.ts'

const FaultParams = strictObject(() => ({ id: z.coerce.number().int().min(1) }))

/** A fault specification. Name and options are validated when it is added; the error names valid ones. */
const FaultBody = z
  .union([
    z.string().min(1),
    z.record(z.string(), JsonValue).refine((fault) => Object.keys(fault).length === 1, {
      message: 'a fault is one name with its options',
    }),
  ])
  .describe('`{"drop": {"event": "CONFIRMED"}}`, `"drop:event=CONFIRMED"`, or a profile’s name')

const faultsOf = async (session: SessionApi): Promise<readonly FaultRow[]> =>
  (await session.look({ faults: true })).faults

const addedIn = (facts: readonly Fact[]): readonly number[] =>
  facts.flatMap((fact) => (fact.kind === 'fault.added' ? [fact.fault.id] : []))

export const faultRoutes = [
  defineRoute({
    ...getRoute('listFaults', '/faults'),
    summary: 'Faults: those active first, then those that have ended, each oldest first',
    success: gives(
      'a list of faults, with how often each has fired',
      z.array(controlSchemas.Fault),
    ),
    answer: async (session) => jsonAnswer(await faultsOf(session)),
  }),
  defineRoute({
    ...postRoute('addFault', '/faults'),
    summary: 'Activates a fault, or all of a profile',
    body: FaultBody,
    success: {
      status: 201,
      what: '`{ids, faults}`: what came into force',
      response: z.object({ ids: z.array(z.int()), faults: z.array(controlSchemas.Fault) }),
    },
    refuses: commandRefusals,
    async answer(session, { body }) {
      const added = await session.submit({ kind: 'fault.add', spec: body })
      if (!added.ok) return refusalAnswer(added.error)
      const ids = addedIn(added.value)
      const faults = (await faultsOf(session)).filter(({ id }) => ids.includes(id))
      const [only] = ids.length === 1 ? ids : []
      const headers = only === undefined ? {} : { location: `/faults/${only}` }
      return { ...jsonAnswer({ ids, faults }, 201), headers }
    },
  }),
  defineRoute({
    ...deleteRoute('endFaults', '/faults'),
    summary: 'Disables all faults and releases what they held back',
    success: { status: 204, what: 'nothing' },
    refuses: commandRefusals,
    async answer(session) {
      const ended = await session.submit({ kind: 'fault.end' })
      return ended.ok ? noContent : refusalAnswer(ended.error)
    },
  }),
  defineRoute({
    ...deleteRoute('removeFault', '/faults/{id}'),
    summary: 'Disables one fault',
    params: FaultParams,
    success: { status: 204, what: 'nothing' },
    refuses: commandRefusals,
    async answer(session, { params: { id } }) {
      const removed = await session.submit({ kind: 'fault.remove', id })
      return removed.ok ? noContent : refusalAnswer(removed.error)
    },
  }),
]
