/**
 * Couriers of a Delivery Platform: names, phones and vehicles, generated synchronously and without libraries, so that
 * habits can use them at session start. The couriers of the population are built asynchronously and with libraries.
 */
import type { Chance } from '../../engine/chance.ts'
import type { DeliveryCourier, Vehicle } from '../../engine/logistics/delivery.ts'
import { type WeightedValue, drawWeighted } from './draw.ts'

const names = [
  'Adriana Queiroz',
  'Benedito Prado',
  'Caio Figueira',
  'Dalva Nogueira',
  'Edson Tavares',
  'Fabiana Leme',
  'Gilmar Rocha',
  'Helena Portela',
  'Ivan Braga',
  'Jussara Campos',
  'Kleber Amaral',
  'Luzia Bento',
  'Marcos Vidal',
  'Neide Falcão',
  'Osvaldo Pires',
  'Priscila Moura',
] as const

/** Vehicle mix of a fleet: how often each vehicle is drawn. */
export type VehicleOdds = readonly WeightedValue<Vehicle>[]

const kmPerHour: Readonly<Record<Vehicle, readonly [least: number, most: number]>> = {
  MOTORCYCLE: [24, 34],
  CAR: [18, 28],
  BICYCLE: [12, 18],
  WALKING: [4, 6],
}

/**
 * A mobile number of São Paulo that cannot be assigned: after the area code 11 and the mobile prefix 9, no subscriber's
 * number has 0. So a subject that sends text messages reaches no real person.
 */
export const drawPhone = (chance: Chance): string =>
  `+551190${String(chance.below(10_000_000)).padStart(7, '0')}`

export const drawCouriers = (
  chance: Chance,
  count: number,
  vehicles: VehicleOdds,
): readonly DeliveryCourier[] =>
  Array.from({ length: count }, (_, index) => {
    const vehicle = drawWeighted(chance, vehicles)
    const name = names[index % names.length] ?? names[0]
    const round = Math.floor(index / names.length)
    return {
      id: chance.uuid(),
      name: round === 0 ? name : `${name} ${round + 1}`,
      phone: drawPhone(chance),
      vehicle,
      kmPerHour: chance.between(...kmPerHour[vehicle]),
    }
  })
