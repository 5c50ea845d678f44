/** Decides the commands of Indoor, at the host and at its client. */
import type { Decisions } from '../decision.ts'
import { cancelAccountItem, moveAccount, transferItems } from './account-commands.ts'
import { adjustPayment, discountAccount, grantCourtesy, payAccount } from './account-money.ts'
import { bookOrder } from './booking.ts'
import { mirrorCancellations } from './cancellation-mirror.ts'
import type { IndoorCommand } from './commands.ts'
import { concludeFiscalDocument, requestFiscalDocument } from './fiscal-commands.ts'
import { tableDecisions } from './table-commands.ts'

export const indoorDecisions: Decisions<IndoorCommand> = {
  'account.book': bookOrder,
  'account.mirror': mirrorCancellations,
  'account.cancel-item': cancelAccountItem,
  'account.transfer': transferItems,
  'account.pay': payAccount,
  'account.adjust-payment': adjustPayment,
  'account.discount': discountAccount,
  'account.courtesy': grantCourtesy,
  'account.move': moveAccount,
  'account.request-fiscal': requestFiscalDocument,
  'account.conclude-fiscal': concludeFiscalDocument,
  ...tableDecisions,
}
