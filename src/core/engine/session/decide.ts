/** Decides the commands of the session as a whole. */
import { ok } from '../../protocol/result.ts'
import type { Decisions } from '../decision.ts'
import { initialLoyaltyFacts } from '../loyalty/decide.ts'
import type { SessionCommand } from './commands.ts'

export const sessionDecisions: Decisions<SessionCommand> = {
  'session.open': (_command, { settings }) =>
    ok([{ kind: 'session.opened', roles: settings.roles }, ...initialLoyaltyFacts(settings)]),
  'session.configure': ({ changes }) => ok([{ kind: 'session.configured', changes }]),
}
