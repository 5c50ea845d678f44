/**
 * A forged webhook, which must be rejected: its signature is wrong or missing, or it names another store. It replaces
 * the true one, which comes with the next attempt.
 */
import type { Chance } from '../engine/chance.ts'
import { operation } from '../protocol/catalogue.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { oneWord } from '../protocol/setting.ts'

const forgeries = ['signature', 'none', 'short', 'bytes', 'merchant'] as const

const hexadecimal = (chance: Chance, digits: number): string =>
  Array.from({ length: digits }, () => chance.below(16).toString(16)).join('')

function forgedHeaders(
  how: (typeof forgeries)[number],
  chance: Chance,
): Readonly<Record<string, string>> {
  if (how === 'merchant') return { 'x-app-merchantid': chance.uuid() }
  const signatures = {
    none: () => '',
    signature: () => hexadecimal(chance, 64),
    short: () => hexadecimal(chance, 10),
    bytes: () => `${hexadecimal(chance, 32)}${'\u00e7\u00ff'.repeat(16)}`,
  }
  // The edge names the header of the session's form.
  return { 'x-app-signature': signatures[how]() }
}

export const wrongSignature = defineFault({
  name: 'wrong-signature',
  summary: 'a forged webhook: its signature or its merchant is wrong',
  code: 'R12',
  meets: ['call'],
  // A forger may send any signature; a wrong store under a valid signature would be a partner's error.
  legal: ({ how }) => how !== 'merchant',
  options: strictObject(() => ({
    how: oneWord(forgeries, 'signature').describe(
      'a signature that does not fit, none at all, one of ten digits, one with bytes beyond ASCII, or the id of another store',
    ),
  })),
  vary: (chance) => ({ how: chance.pick(['signature', 'none'] as const) }),
  message: ({ how }, meeting, chance) =>
    operation(meeting.operation).webhook === undefined
      ? undefined
      : { effect: true, forged: true, headers: forgedHeaders(how, chance) },
})
