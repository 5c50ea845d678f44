/** A request for a new order. What it leaves out is made up from the seed, consistently with what it says. */
import type { SampleName } from '../partners/seed-data/samples.ts'
import type { OrderType } from '../protocol/orders/order.ts'

export interface NewOrderItem {
  /** Code or name of an item of the merchant's menu; any other text with a price. */
  readonly item: string
  /** 1 when absent. */
  readonly quantity?: number
  /** Price of one unit; that of the menu when absent. */
  readonly price?: number
  /** Codes or names of options; those that the menu requires when absent. */
  readonly options?: readonly string[]
  /** Remark of the customer. */
  readonly observations?: string
}

export interface NewOrderCustomer {
  readonly name: string
  readonly phone?: string
  readonly email?: string
  readonly documentNumber?: string
}

export interface NewOrderPayment {
  /** A method of the protocol in any case (`CREDIT`, `meal-voucher`), or a plain name: `card`, `wallet`, `voucher`. */
  readonly method: string
  /** Whether it is paid already. Cash and the bill at a table are not; anything else is, when absent. */
  readonly type?: 'PREPAID' | 'PENDING'
  /** The cash that the customer hands over. */
  readonly changeFor?: number
}

export interface NewOrder {
  readonly type?: OrderType
  /** Where the guests of an INDOOR order sit: `7` is a table, `TAB:12` a tab, `COUNTER:3` a counter. */
  readonly table?: string
  /** Id, externalCode or name of a merchant of the session. */
  readonly merchant?: string
  /** The number of items, or the items themselves; an order of these has no made-up fees and discounts. */
  readonly items?: number | readonly NewOrderItem[]
  readonly customer?: NewOrderCustomer
  readonly payment?: NewOrderPayment
  /** Name of an order that is not nice (`sparring list samples`); what else is said of the order holds as well. */
  readonly sample?: SampleName
  /**
   * An order document, whole or in part, in place of the other fields. Its status starts over. A detail as
   * `look({ orderId })` returns it is copied with fresh ids and times.
   */
  readonly order?: unknown
}

/** What has become of the request. */
export interface CreatedOrder {
  readonly orderId: string
  /** What is suspicious in a document, in sentences: sums that do not match. Absent when nothing is. */
  readonly warnings?: readonly string[]
}
