/** Every measurement, in the order of execution and output. */
import type { RowMaker } from '../row.ts'
import { agendaEdits } from './agenda-edits.ts'
import { attach } from './attach.ts'
import { contractLife } from './contract-life.ts'
import { customerIngest } from './customer-ingest.ts'
import { orderRequests } from './order-requests.ts'
import { everythingOn } from './everything-on.ts'
import { harImport } from './har-import.ts'
import { indoorPayment } from './indoor-payment.ts'
import { logisticsDelivery } from './logistics-delivery.ts'
import { loyaltyRedeem } from './loyalty-redeem.ts'
import { monitored } from './monitored.ts'
import { memory } from './memory.ts'
import { openOrders } from './open-orders.ts'
import { orderLife } from './order-life.ts'
import { peers } from './peers.ts'
import { playerOpen } from './player-open.ts'
import { replayTiming } from './replay-timing.ts'
import { recordOverhead } from './record-overhead.ts'
import { recordingOpen } from './recording-open.ts'
import { recordingWrite } from './recording-write.ts'
import { redactedImport } from './redacted-import.ts'
import { coldStart, help } from './startup-time.ts'
import { webhookOut } from './webhook-out.ts'

export const rowMakers: readonly RowMaker[] = [
  orderRequests,
  orderLife,
  contractLife,
  everythingOn,
  attach,
  monitored,
  openOrders,
  agendaEdits,
  indoorPayment,
  logisticsDelivery,
  customerIngest,
  loyaltyRedeem,
  webhookOut,
  replayTiming,
  recordOverhead,
  coldStart,
  help,
  memory,
  recordingOpen,
  playerOpen,
  recordingWrite,
  harImport,
  redactedImport,
  peers,
]
