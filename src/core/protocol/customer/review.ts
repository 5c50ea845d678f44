/** A review: a rating by a customer (REV-GEN-01). Its fields are open, so any non-empty object is one. */
import { compact } from '../../base/compact.ts'
import { z } from 'zod'
import { isUnknownRecord } from '../unknown-record.ts'
import type { CustomerConduct } from './conduct.ts'
import { looseObject } from '../../base/lazy-object.ts'

const text = z.string().min(1).max(200).nullish()

export const Review = looseObject(() => ({
  id: text,
  orderId: text,
  customerId: text,
  merchantId: text,
})).refine((review) => Object.keys(review).length > 0, 'a review says something at least')
export type Review = z.infer<typeof Review>

interface Rating {
  readonly value?: unknown
  readonly isOverall?: unknown
}

/** The rating of a review: its `rating`, the overall entry of `ratings` or else the first, or `overallRating`. */
export function ratingOf(review: Review): string | number | boolean | undefined {
  const { rating, ratings, overallRating } = review
  const list: readonly Rating[] = Array.isArray(ratings) ? ratings.filter(isUnknownRecord) : []
  const overall = list.find(({ isOverall }) => isOverall === true) ?? list[0]
  const candidates = [
    rating,
    overall?.value,
    isUnknownRecord(overallRating) && overallRating['value'],
  ]
  return candidates.find(
    (value): value is string | number =>
      typeof value === 'number' || (typeof value === 'string' && value !== ''),
  )
}

/** Wire form of a stored review: its rating as a list of ratings, or as a single number. */
export function reviewView(
  review: Review,
  { reviewShape, ratingValue }: Pick<CustomerConduct, 'reviewShape' | 'ratingValue'>,
): Review {
  const { rating, ...rest } = review
  if (reviewShape === 'rating' || typeof rating !== 'number' || rest['ratings'] !== undefined)
    return review
  const { comment } = review
  const overall = {
    method: 'stars',
    value: ratingValue === 'text' ? String(rating) : rating,
    scaleMin: 1,
    scaleMax: 5,
    isOverall: true,
    ...compact({ comment }),
  }
  return { ...rest, ratings: [overall] }
}
