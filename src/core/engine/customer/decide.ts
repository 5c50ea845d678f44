/** The decision of each command of Customer. */
import type { Decisions } from '../decision.ts'
import type { CustomerCommand } from './commands.ts'
import { commonDecisions } from './common-decisions.ts'
import { flushOutbox, pushAgain } from './flush-outbox.ts'
import { applyEntry, ingestRecords } from './ingest.ts'
import { pullRecords } from './pull.ts'
import { recordOrder, registerCustomer } from './relation.ts'
import { applicationSide, crmSide, ofSide } from './side.ts'

export const customerDecisions: Decisions<CustomerCommand> = {
  ...ofSide(crmSide, commonDecisions),
  'customer.ingest': ingestRecords,
  'customer.apply': applyEntry,
  'customer.pull': pullRecords,
  ...ofSide(applicationSide, commonDecisions),
  'relation.register': registerCustomer,
  'relation.record': recordOrder,
  'relation.share': (_command, context) => flushOutbox(context),
  'relation.push': pushAgain,
}
