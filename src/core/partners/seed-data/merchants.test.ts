import { describe, expect, test } from 'vitest'
import { menus } from './merchants.ts'
import type { GroupDraft, Menu, OfferDraft } from './menus/menu.ts'

const offersOf = (menu: Menu): OfferDraft[] => menu.categories.flatMap(({ offers }) => [...offers])

function groupsOf(groups: readonly GroupDraft[] = []): GroupDraft[] {
  return groups.flatMap((group) => [
    group,
    ...group.options.flatMap((option) => groupsOf(option.groups)),
  ])
}

const depthOf = (groups: readonly GroupDraft[] = []): number =>
  Math.max(
    0,
    ...groups.flatMap(({ options }) => options.map(({ groups: inner }) => 1 + depthOf(inner))),
  )

test('each menu has its own cuisine, and merchant names are unique', () => {
  expect(menus.length).toBeGreaterThanOrEqual(5)
  expect(new Set(menus.map(({ cuisine }) => cuisine)).size).toBe(menus.length)
  const names = menus.flatMap((menu) => [...menu.names])
  expect(new Set(names).size).toBe(names.length)
})

describe.each(menus.map((menu) => [menu.cuisine, menu] as const))('%s', (_, menu: Menu) => {
  const offers = offersOf(menu)
  const groups = offers.flatMap((offer) => groupsOf(offer.groups))
  const options = groups.flatMap((group) => group.options)

  test('has at least twelve offers in all courses, with unique codes and names', () => {
    expect(offers.length).toBeGreaterThanOrEqual(12)
    const courses = new Set(menu.categories.map(({ course }) => course))
    for (const course of ['main', 'side', 'drink', 'sweet'] as const)
      expect(courses).toContain(course)
    expect(new Set(offers.map(({ code }) => code)).size).toBe(offers.length)
    expect(new Set(offers.map(({ name }) => name)).size).toBe(offers.length)
  })

  test('has plausible prices in whole cents', () => {
    const implausible = offers.filter(
      ({ cents }) => !Number.isInteger(cents) || cents < 400 || cents > 20_000,
    )
    expect(implausible).toEqual([])
    expect(offers.filter(({ cents, formerCents }) => (formerCents ?? Infinity) <= cents)).toEqual(
      [],
    )
    expect(options.filter(({ cents }) => !Number.isInteger(cents) || cents > 4000)).toEqual([])
  })

  test('has offers by weight at multiples of ten cents and without options, so that items cost whole cents', () => {
    const weighed = offers.filter(({ unit }) => unit === 'KG')
    expect(weighed.filter((each) => each.cents % 10 !== 0 || each.groups !== undefined)).toEqual([])
  })

  test('has groups whose minimum and maximum can be met, with unique option names', () => {
    for (const { min, max, options: own } of groups) {
      const offered = own.filter(({ defaultQuantity }) => !defaultQuantity)
      expect(min).toBeLessThanOrEqual(max)
      expect(max).toBeLessThanOrEqual(offered.length)
      expect(max).toBeGreaterThanOrEqual(1)
      expect(new Set(own.map(({ name }) => name)).size).toBe(own.length)
    }
  })

  test('has included options that are free and limited to their default quantity', () => {
    const included = options.filter(({ defaultQuantity }) => (defaultQuantity ?? 0) > 0)
    expect(included.filter((each) => each.cents > 0 || each.max !== each.defaultQuantity)).toEqual(
      [],
    )
  })

  test('has nested option groups', () => {
    expect(Math.max(...offers.map((offer) => depthOf(offer.groups)))).toBeGreaterThanOrEqual(2)
  })
})

test('the deepest menu has three levels of options', () => {
  const depths = menus.flatMap((menu) => offersOf(menu).map((offer) => depthOf(offer.groups)))
  expect(Math.max(...depths)).toBe(3)
})
