/** Decides the commands of Indoor, at the host and at its client. */
import type { Decisions } from '../decision.ts'
import { accountDecisions } from './account-commands.ts'
import { moneyDecisions } from './account-money.ts'
import { bookOrder } from './booking.ts'
import { mirrorCancellations } from './cancellation-mirror.ts'
import type { IndoorCommand } from './commands.ts'
import { fiscalDecisions } from './fiscal-commands.ts'
import { tableDecisions } from './table-commands.ts'

export const indoorDecisions: Decisions<IndoorCommand> = {
  'account.book': bookOrder,
  'account.mirror': mirrorCancellations,
  ...accountDecisions,
  ...moneyDecisions,
  ...fiscalDecisions,
  ...tableDecisions,
}
