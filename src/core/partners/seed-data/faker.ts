/**
 * Faker for Brazilian Portuguese with our seeded chance as its randomizer, so that the same seed gives the same people.
 * Used only to build a population: orders are generated from the finished population.
 */
import { faker as ready } from '@faker-js/faker/locale/pt_BR'
import type { Faker, FakerOptions } from '@faker-js/faker'
import type { Chance } from '../../engine/chance.ts'
import { type Instant, isoOf } from '../../engine/instant.ts'

/**
 * A faker whose randomness is `chance` and whose reference date is `now`. The only export that does not load the
 * library's seventy other locales is a ready instance, shared by the whole process; its constructor creates a separate
 * instance, whose draws no other code can disturb.
 */
export function createFaker(chance: Chance, now: Instant): Faker {
  const options: FakerOptions = {
    locale: ready.rawDefinitions,
    // `chance` is seeded already.
    randomizer: { next: () => chance.fraction(), seed: () => undefined },
  }
  const faker: Faker = Reflect.construct(ready.constructor, [options])
  faker.setDefaultRefDate(isoOf(now))
  return faker
}
