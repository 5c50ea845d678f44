/**
 * Ids of events. Their last eight digits are a checksum of the digits before, so that an id of an earlier session is known
 * as one: a service may acknowledge late what it received before its partner was started again.
 */
import type { Chance } from './chance.ts'
import { digestOf } from './digest.ts'

/** Of a UUID, what is random, and where the checksum begins. */
const checksumAt = 28
const checksumLength = 8

const checksumOf = (random: string): string => digestOf(random).slice(0, checksumLength)

/** A version 4 UUID for an event. */
export function newEventId(chance: Chance): string {
  const random = chance.uuid().slice(0, checksumAt)
  return random + checksumOf(random)
}

/** Whether any session made this id for an event. */
export const isEventIdOfAnySession = (id: string): boolean =>
  id.length === checksumAt + checksumLength &&
  id.slice(checksumAt) === checksumOf(id.slice(0, checksumAt))
