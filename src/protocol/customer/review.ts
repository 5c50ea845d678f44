/** A review: a rating by a customer (REV-GEN-01). Its fields are open, so any object that says something is one. */
import { z } from 'zod'
import { isGroup } from '../group.ts'

const text = z.string().min(1).max(200).nullish()

export const Review = z
  .looseObject({
    id: text,
    orderId: text,
    customerId: text,
    merchantId: text,
  })
  .refine((review) => Object.keys(review).length > 0, 'a review says something at least')
export type Review = z.infer<typeof Review>

interface Rating {
  readonly value?: unknown
  readonly isOverall?: unknown
}

/** The number or word that a review comes to: its own rating, its overall one, or its first. */
export function ratingOf(review: Review): string | number | boolean | undefined {
  const { rating, ratings, overallRating } = review
  const list: readonly Rating[] = Array.isArray(ratings) ? ratings.filter(isGroup) : []
  const overall = list.find(({ isOverall }) => isOverall === true) ?? list[0]
  const candidates = [rating, overall?.value, isGroup(overallRating) && overallRating['value']]
  return candidates.find(
    (value): value is string | number =>
      typeof value === 'number' || (typeof value === 'string' && value !== ''),
  )
}

/** What a store keeps of a review of ours is its rating; it is written as a list of ratings, or as that one number. */
export function reviewView(review: Review, shape: 'ratings' | 'rating'): Review {
  const { rating, ...rest } = review
  if (shape === 'rating' || typeof rating !== 'number' || rest['ratings'] !== undefined)
    return review
  const { comment } = review
  const overall = {
    method: 'stars',
    value: rating,
    scaleMin: 1,
    scaleMax: 5,
    isOverall: true,
    ...(comment === undefined ? {} : { comment }),
  }
  return { ...rest, ratings: [overall] }
}
