// @module-tag slow
/** Our Software Service with one mistake on its way out: the procedures bring about what shows it. */
import { expect, test } from 'vitest'
import { certifyCounterpart, type Defect } from '../../../../test/support/certified-counterpart.ts'
import { checks } from '../../../core/rules/checks/catalogue.ts'

const role = 'software-service'
type Call = NonNullable<Defect['call']>

const answer = (status: number): Response => new Response('{}', { status })

const isCallOf = ({ url, method }: Request, path: string, wanted = 'POST'): boolean =>
  method === wanted && new URL(url).pathname.endsWith(path)

/** Its reads of an order that failed once get no further. */
function readsOnce(): Call {
  const failed = new Set<string>()
  return async (request, forward) => {
    const isRead = request.method === 'GET' && /\/orders\/[^/]+$/.test(request.url)
    if (isRead && failed.has(request.url)) return answer(500)
    const response = await forward(request)
    if (isRead && response.status === 500) failed.add(request.url)
    return response
  }
}

/** Acknowledges once: what failed is not acknowledged any more, however often it is polled. */
function acknowledgesOnce(): Call {
  const failed = new Set<string>()
  return async (request, forward) => {
    if (!isCallOf(request, '/events/acknowledgment')) return forward(request)
    const { eventIds } = (await request.clone().json()) as { readonly eventIds: readonly string[] }
    if (eventIds.some((id) => failed.has(id))) return answer(202)
    const response = await forward(request)
    if (response.status === 503) for (const id of eventIds) failed.add(id)
    return response
  }
}

/** A confirmation that is refused for good is made again at once. */
const insists: Call = async (request, forward) => {
  const [first, again] = [request.clone(), request.clone()]
  const response = await forward(first)
  return isCallOf(request, '/confirm') && response.status === 409 ? forward(again) : response
}

/** It acknowledges so many events, and no more. */
function acknowledgesSome(): Call {
  let left = 200
  return async (request, forward) => {
    if (!isCallOf(request, '/events/acknowledgment')) return forward(request)
    const { eventIds } = (await request.clone().json()) as { readonly eventIds: readonly string[] }
    left -= eventIds.length
    return left < 0 ? answer(202) : forward(request)
  }
}

/** A call that is answered 401 is lost, for good. */
function losesUnauthorized(): Call {
  const lost = new Set<string>()
  return async (request, forward) => {
    if (lost.has(request.url)) return answer(202)
    const response = await forward(request)
    if (request.method !== 'POST' || response.status !== 401) return response
    lost.add(request.url)
    return answer(202)
  }
}

test.each([
  [
    'TRN-STA-11, ORD-GEN-05',
    'an order whose first read fails is read no more',
    readsOnce,
    [/getOrder again/, /did not read/],
  ],
  [
    'ORD-OPS-02',
    'an acknowledgment that failed is not made again',
    acknowledgesOnce,
    [/an acknowledgment of it had failed$/],
  ],
  [
    'ORD-OPS-02',
    'of a burst some events are not acknowledged',
    acknowledgesSome,
    [/X_UNKNOWN_\d+/],
  ],
  ['TRN-ERB-01', 'a refused confirmation is made again', () => insists, [/RT-5/]],
  [
    'AUT-TOK-04',
    'a call is lost at 401',
    losesUnauthorized,
    [/again that was answered 503 and then 401$/],
  ],
] as const)('[%s] %s', async (list, about, create, expected) => {
  const clauses = list.split(', ')
  const { results } = await certifyCounterpart({
    role,
    checks: checks.filter(
      ({ clauses: [first], roles }) => clauses.includes(first) && roles.includes(role),
    ),
    defect: { about, call: create() },
  })
  for (const [index, clause] of clauses.entries()) {
    const result = results.find((each) => each.clause === clause)
    expect(result?.outcome).toBe('failed')
    expect(result?.problems.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(expected[index] ?? /^never/),
    )
  }
})
