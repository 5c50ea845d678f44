/**
 * The schemas of the protocol that are components of an OpenAPI document under their own name; all others are named after
 * their operation, or stand where they are used. A recursive schema needs a name.
 */
import type { z } from 'zod'
import { AnyBody } from '../../protocol/json-value.ts'
import { ListedMerchant, MerchantPage } from '../../protocol/auth/merchants.ts'
import { TokenRequest, TokenResponse } from '../../protocol/auth/token.ts'
import { CustomerInput } from '../../protocol/customer/customer.ts'
import { DocumentedEvent } from '../../protocol/customer/event.ts'
import { CustomerIdentifier, ExternalId } from '../../protocol/customer/identifier.ts'
import { AnyLead, Lead } from '../../protocol/customer/lead.ts'
import { ReducedOrder, DocumentedOrder } from '../../protocol/customer/related-order.ts'
import { IdentifiedRecord, IngestReceipt } from '../../protocol/customer/operations.ts'
import { Review } from '../../protocol/customer/review.ts'
import {
  CapabilityBlock,
  CapabilityEntry,
  Manifest,
  RoleBlock,
} from '../../protocol/discovery/manifest.ts'
import {
  Account,
  AccountAnswer,
  AccountItem,
  AccountItemOption,
  AccountPayment,
  AccountReceipt,
  AccountTotals,
  ChargeAmount,
  FiscalDocument,
  FiscalDocumentList,
  PaymentList,
  PaymentMethodInfo,
} from '../../protocol/indoor/account.ts'
import { AccountReference } from '../../protocol/indoor/bodies.ts'
import { AccountEventBody } from '../../protocol/indoor/events.ts'
import { ConsumptionType, OperationMode } from '../../protocol/indoor/labels.ts'
import {
  Availability,
  CourierData,
  Delivery,
  DeliveryEvent,
  DeliveryPrice,
  DeliveryReceipt,
  ProblemEntry,
} from '../../protocol/logistics/bodies.ts'
import { DeliveryPlace } from '../../protocol/logistics/place.ts'
import { LoyaltyAccount, LoyaltyAccountList } from '../../protocol/loyalty/account.ts'
import { Coupon, CouponPage } from '../../protocol/loyalty/coupon.ts'
import { LoyaltyEventBody } from '../../protocol/loyalty/event.ts'
import { PartnerReward, Program, ProgramPage, RewardPage } from '../../protocol/loyalty/program.ts'
import { RedemptionReceipt } from '../../protocol/loyalty/redemption.ts'
import { Transaction, TransactionPage } from '../../protocol/loyalty/transaction.ts'
import { Acknowledgment } from '../../protocol/orders/acknowledgment.ts'
import { OrderEvent, OrderEventList } from '../../protocol/orders/event.ts'
import { IndoorBlock } from '../../protocol/orders/indoor-block.ts'
import {
  ItemOption,
  ItemPricing,
  ItemStatus,
  OptionPricing,
  OrderItem,
} from '../../protocol/orders/items.ts'
import {
  DeliveryAddress,
  Fulfillment,
  Order,
  OrderCustomer,
  OrderStatus,
  OrderTiming,
  OrderType,
  UnavailabilityPreference,
} from '../../protocol/orders/order.ts'
import {
  OrderDiscount,
  OrderPayments,
  OrderTotal,
  OtherFee,
  PaymentMethod,
} from '../../protocol/orders/payments.ts'
import { Price } from '../../protocol/orders/price.ts'
import { TrackingUpdate } from '../../protocol/orders/tracking.ts'
import { V1Item, V1Option, V1Order } from '../../protocol/v1/order.ts'

/** By the name of the component. */
export const namedSchemas = {
  Account,
  AccountEvent: AccountEventBody,
  AccountItem,
  AccountItemOption,
  AccountPayment,
  AccountReceipt,
  AccountReference,
  AccountTotals,
  AccountView: AccountAnswer,
  Acknowledgment,
  AnyBody,
  AnyLead,
  Availability,
  CapabilityBlock,
  CapabilityEntry,
  ChargeAmount,
  ConsumptionType,
  Coupon,
  CouponPage,
  Courier: CourierData,
  Customer: CustomerInput,
  CustomerEvent: DocumentedEvent,
  CustomerIdentifier,
  Delivery,
  DeliveryAddress,
  DeliveryEvent,
  DeliveryPlace,
  DeliveryPrice,
  DeliveryReceipt,
  ExternalId,
  FiscalDocument,
  FiscalDocumentList,
  Fulfillment,
  IdentifiedRecord,
  IndoorBlock,
  IngestReceipt,
  ItemOption,
  ItemPricing,
  ItemStatus,
  Lead,
  LoyaltyAccount,
  LoyaltyAccountList,
  LoyaltyEvent: LoyaltyEventBody,
  Manifest,
  Merchant: ListedMerchant,
  MerchantPage,
  OperationMode,
  OptionPricing,
  Order,
  OrderCustomer,
  OrderDiscount,
  OrderEvent,
  OrderEventList,
  OrderItem,
  OrderPayments,
  OrderStatus,
  OrderTiming,
  OrderTotal,
  OrderType,
  OtherFee,
  PaymentList,
  PaymentMethod,
  PaymentMethodInfo,
  Price,
  ProblemEntry,
  Program,
  ProgramPage,
  RedemptionReceipt,
  ReducedOrder,
  RelatedOrder: DocumentedOrder,
  Review,
  Reward: PartnerReward,
  RewardPage,
  RoleBlock,
  TokenRequest,
  TokenResponse,
  TrackingUpdate,
  Transaction,
  TransactionPage,
  UnavailabilityPreference,
  V1Item,
  V1Option,
  V1Order,
} as const satisfies Readonly<Record<string, z.ZodType>>
