/** Rules about tokens, TK-1 to TK-3. */
import {
  testInvariant,
  type InvariantStory,
} from '../../../../../../test/support/invariant-cases.ts'
import { says } from '../../../../../../test/support/says.ts'

const confirm = 'POST /orders/…/confirm'
const token = 'POST /oauth/token  200'

const orders =
  (many: number, gapMs = 0): InvariantStory['play'] =>
  async (harness) => {
    for (let count = 0; count < many; count++) {
      await harness.order('TAKEOUT')
      await harness.pass(gapMs)
    }
    await harness.pass(60_000)
  }

const revoked: InvariantStory = {
  faults: [{ unauthorized: { operation: 'confirmOrder', limit: 1, revoke: true } }],
  play: orders(1),
}

const together = {
  slot: null,
  because: says('requested a token while', 'in progress'),
  lines: [token, token],
}

testInvariant({
  id: 'TK-1',
  clauses: 'AUT-TOK-03, AUT-TOK-04',
  when: 'when all tokens end and new ones are slow to come',
  story: {
    faults: [
      { unauthorized: { operation: 'getOrder', limit: 1, revoke: true } },
      { 'slow-response': { operation: 'issueToken', by: 3000 } },
    ],
    play: orders(4, 300),
  },
  caught: { 'token-per-call': together, 'token-stampede': together },
})

testInvariant({
  id: 'TK-2',
  clauses: 'AUT-TOK-04',
  when: 'when all tokens end',
  story: revoked,
  caught: {
    'keeps-rejected-token': {
      slot: null,
      because: says('a token 4 more times', 'rejected'),
      lines: [`${confirm}  401`, '  401'],
    },
    'takes-401-for-refusal': {
      slot: null,
      because: says('a token 4 more times', 'rejected'),
      lines: [`${confirm}  401`, 'GET /events:polling  401'],
    },
    'retries-with-old-token': {
      because: says('repeated confirmOrder of o1', 'rejected 0 ms'),
      lines: [`${confirm}  401`, token, `${confirm}  401`],
    },
  },
})

testInvariant({
  id: 'TK-2',
  clauses: 'AUT-TOK-04',
  when: 'when all tokens end while calls are tried again',
  story: {
    channel: 'webhook',
    faults: [
      { fail: { operation: 'confirmOrder', nth: 1 } },
      { unauthorized: { operation: 'confirmOrder', limit: 1, revoke: true } },
    ],
    play: orders(4),
  },
  caught: {
    'refreshes-only-at-first': {
      slot: null,
      because: says('a token 4 more times', 'rejected'),
      lines: [`${confirm}  401`, `${confirm}  401`],
    },
  },
})

const notMadeAgain = {
  because: says('a 401 to confirmOrder of o1', /not repeated the call for 18\d s/),
  lines: [`${confirm}  401`],
}

testInvariant({
  id: 'TK-3',
  clauses: 'AUT-TOK-04',
  when: 'when all tokens end',
  story: revoked,
  caught: {
    'forgets-call-at-401': notMadeAgain,
    'takes-401-for-refusal': notMadeAgain,
    'retries-with-old-token': {
      because: says('After a 401 to confirmOrder of o1', 'new token', 'the old one'),
      lines: [`${confirm}  401`, token, `${confirm}  401`],
    },
  },
})
