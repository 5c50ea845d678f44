/** Routes for verdicts, explanations and operator actions. */
import { z } from 'zod'
import { verdictOutcomes } from '../../rules/invariants/verdict.ts'
import { contactStatus } from '../../session-api/first-contact.ts'
import { sessionVerdict } from '../../views/session-verdict.ts'
import { jsonAnswer, errorAnswer } from './answer.ts'
import { defineRoute, getRoute, gives, postRoute } from './route.ts'
import { controlSchemas } from './schemas.ts'
import { strictObject } from '../../base/lazy-object.ts'

export const verdictRoutes = [
  defineRoute({
    ...getRoute('listVerdicts', '/verdicts'),
    summary: 'What the invariants have come to: one verdict for each that binds your service',
    query: strictObject(() => ({
      outcome: z.enum(verdictOutcomes).optional(),
      id: z.string().min(1).optional().describe('short name or name: `SE-1`'),
    })),
    success: gives(
      'a list of verdicts, with clauses and evidence',
      z.array(controlSchemas.Verdict),
    ),
    async answer(session, { query: { outcome, id } }) {
      const { verdicts } = await session.look({ verdicts: true })
      return jsonAnswer(
        verdicts.filter(
          (each) =>
            (outcome === undefined || each.outcome === outcome) &&
            (id === undefined || each.name === id || each.id === id.toUpperCase()),
        ),
      )
    },
  }),
  defineRoute({
    ...getRoute('getVerdict', '/verdict'),
    summary:
      'The verdict of the session in one object: whether your service passed, the exit code for a script, and the broken rules with clauses and evidence',
    success: gives(
      '`{passed, exit, because, counts, broken, text}`; `exit` is 0 passed, 1 a rule is broken, 2 not judged: no rule is checked, none was exercised, or one is open, 3 your service was never in contact',
      controlSchemas.SessionVerdict,
    ),
    async answer(session) {
      const { verdicts, info } = await session.look({ verdicts: true })
      return jsonAnswer(sessionVerdict(verdicts, info, contactStatus(info)))
    },
  }),
  defineRoute({
    ...postRoute('judge', '/judge'),
    summary:
      'Asks your service for its own view of orders, where it lets us, and answers every verdict; it ends nothing',
    body: z.strictObject({}),
    success: gives('a list of verdicts', z.array(controlSchemas.Verdict)),
    answer: async (session) => jsonAnswer(await session.judge()),
  }),
  defineRoute({
    ...getRoute('listOperatorActions', '/operator-actions'),
    summary:
      'What was done to this world by hand, oldest first: what a scenario of it is made from',
    success: gives('a list of operator actions', z.array(controlSchemas.OperatorAction)),
    answer: async (session) =>
      jsonAnswer((await session.look({ operatorActions: true })).operatorActions),
  }),
  defineRoute({
    ...getRoute('explain', '/explain/{order}'),
    summary:
      'The story of an order (its id, or its slot `o2`), an event (its id) or an exchange (its number), and where the two sides’ views split',
    params: strictObject(() => ({ order: z.string().min(1).max(200) })),
    success: gives('the story', controlSchemas.Explanation),
    async answer(session, { params: { order } }) {
      const { explanation } = await session.look({ explain: order })
      return explanation
        ? jsonAnswer(explanation)
        : errorAnswer('NOT_FOUND', `there is no order, event or exchange ${order}`)
    },
  }),
]
