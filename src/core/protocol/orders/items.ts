/** Schemas of the items of an order and their tree of options (ORD-FLD-11 to 16, ORD-FLD-18). */
import { z } from 'zod'
import { Price } from './price.ts'
import { looseObject } from '../../base/lazy-object.ts'

/** `ACTIVE` is our default for an item that is not cancelled; the field may be absent (ORD-UND-03). */
export const ItemStatus = z.enum(['ACTIVE', 'PARTIALLY_CANCELLED', 'CANCELLED'])
export type ItemStatus = z.infer<typeof ItemStatus>

export const OptionPricing = looseObject(() => ({
  unitPrice: Price,
  originalPrice: Price.optional(),
  totalPrice: Price,
}))

/** An option may have nested options, to any depth (ORD-FLD-16). */
export const ItemOption = looseObject(() => ({
  id: z.string().min(1),
  name: z.string(),
  optionGroupId: z.string().optional(),
  optionGroupName: z.string().optional(),
  quantity: z.int().min(1),
  defaultQuantity: z.int().min(0).optional(),
  pricing: OptionPricing,
  get options() {
    return z.array(ItemOption).optional()
  },
}))
export type ItemOption = z.infer<typeof ItemOption>

export const ItemPricing = looseObject(() => ({
  unitPrice: Price,
  originalPrice: Price.optional(),
  optionsPrice: Price.optional(),
  totalPrice: Price,
}))

export const OrderItem = looseObject(() => ({
  id: z.string().min(1),
  name: z.string(),
  externalCode: z.string().optional(),
  itemOfferId: z.string().optional(),
  quantity: z.number().min(0),
  unit: z.enum(['UN', 'KG', 'L', 'OZ', 'LB', 'GAL']).optional(),
  pricing: ItemPricing,
  options: z.array(ItemOption).optional(),
  observations: z.string().optional(),
  status: ItemStatus.optional(),
  /** Quantity cancelled so far; our extension (fields.md, O11). */
  quantityCancelled: z.number().optional(),
}))
export type OrderItem = z.infer<typeof OrderItem>
