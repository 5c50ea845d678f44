/**
 * A request is answered 5xx, before or after it took effect (R3), so the caller cannot tell which and retries. `burst`
 * limits how many attempts fail; `burst: outlast` fails all until the caller gives up once.
 */
import { z } from 'zod'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { oneWord } from '../protocol/setting.ts'

const statuses = [500, 502, 503, 504] as const

const page = (status: number): string =>
  `<html><head><title>${status}</title></head><body><h1>${status} from the gateway</h1></body></html>`

export const fail = defineFault({
  name: 'fail',
  summary: 'a request is answered 5xx, before or after it takes effect',
  code: 'R3',
  meets: ['answer'],
  symptom: 'failing',
  traits: ['failure', 'permanent'],
  // Protocol errors have a JSON body; only a gateway in between would answer with HTML.
  legal: (chosen) => chosen.page === undefined,
  options: strictObject(() => ({
    status: z
      .union(statuses.map((each) => z.literal(each)))
      .default(503)
      .describe('what it is answered'),
    effect: oneWord(['before', 'after'], 'before').describe(
      'before the request takes effect, or after it has',
    ),
    page: z
      .literal(true)
      .optional()
      .describe('a gateway’s page of HTML in place of the error body of the protocol'),
  })),
  isRetried: true,
  vary: (chance) => ({
    status: chance.pick(statuses),
    effect: chance.pick(['before', 'after'] as const),
  }),
  message: ({ status, effect, page: asPage }) => ({
    effect: effect === 'after',
    reply: asPage
      ? { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page(status) }
      : {
          status,
          error: {
            code: status === 500 ? 'INTERNAL_ERROR' : 'UNAVAILABLE',
            message: status === 500 ? 'something went wrong' : 'not available for the moment',
          },
        },
  }),
})
