/** The events of every capability in one list, with the status that each announces and its clauses. */
import { customerEvents } from '../../../core/protocol/customer/events.ts'
import { accountEvents } from '../../../core/protocol/indoor/events.ts'
import { deliveryEvents } from '../../../core/protocol/logistics/events.ts'
import { loyaltyEvents } from '../../../core/protocol/loyalty/events.ts'
import { orderEvents } from '../../../core/protocol/orders/events.ts'

export interface EventRow {
  readonly type: string
  readonly capability: string
  /** The status that it announces, or `informs`. */
  readonly says: string
  readonly clauses: readonly string[]
}

const rowsOf = <Row>(
  capability: string,
  table: Readonly<Record<string, Row>>,
  says: (row: Row) => string,
  clause: (row: Row) => readonly string[],
): readonly EventRow[] =>
  Object.entries(table).map(([type, row]) => ({
    type,
    capability,
    says: says(row),
    clauses: clause(row),
  }))

const informs = 'informs'

export const eventRows = (): readonly EventRow[] => [
  ...rowsOf(
    'orders',
    orderEvents,
    ({ projects }) => projects ?? informs,
    ({ clause }) => [clause],
  ),
  ...rowsOf(
    'indoor',
    accountEvents,
    ({ after }) => after ?? informs,
    ({ clause }) => [clause],
  ),
  // The protocol documents have no clause per delivery event, only these for all of them.
  ...rowsOf(
    'logistics',
    deliveryEvents,
    ({ status }) => status,
    () => ['LOG-EVT-01', 'LOG-EVT-03'],
  ),
  ...rowsOf(
    'customer',
    customerEvents,
    ({ entity }) => `a ${entity}`,
    ({ clause }) => [clause],
  ),
  ...rowsOf(
    'loyalty',
    loyaltyEvents,
    ({ transactions }) => transactions.join(', ') || informs,
    ({ clause }) => [clause],
  ),
]
