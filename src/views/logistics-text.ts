/** Short texts of Logistics facts and commands. */
import type { LogisticsCommand } from '../engine/logistics/command.ts'
import type { LogisticsFact } from '../engine/logistics/fact.ts'
import { formatDuration } from '../protocol/duration.ts'
import { assertNever } from '../protocol/result.ts'
import { shortRoleName } from '../protocol/role.ts'

const why = (because: string | undefined): string => (because === undefined ? '' : `: ${because}`)

const platformName = (platform: number): string => (platform === 0 ? 'DP' : `DP no. ${platform}`)

const price = (amount: number | undefined, currency = ''): string =>
  amount === undefined ? '' : ` for ${currency} ${amount.toFixed(2)}`

export function logisticsFactText(fact: LogisticsFact): string {
  switch (fact.kind) {
    case 'delivery.enlisted':
      return `${fact.couriers.length} couriers go on duty`
    case 'delivery.quoted': {
      const { available, metres, fee, currency, durationMs, because } = fact.quote
      return available
        ? `DP delivers ${(metres / 1000).toFixed(1)} km for ${currency} ${(fee / 100).toFixed(2)} in ${formatDuration(durationMs)}`
        : `DP does not deliver${why(because)}`
    }
    case 'delivery.created':
      return `delivery created for ${shortRoleName[fact.consumer]}`
    case 'delivery.requested':
      return `delivery: ${fact.trigger} accepted for later`
    case 'delivery.moved':
      return `delivery ${fact.from} > ${fact.to}${fact.courier ? ` with ${fact.courier.name}` : ''}${why(fact.because)}${fact.forced ? ' (forced)' : ''}`
    case 'delivery.lapsed':
      return `delivery: ${fact.trigger} had no effect in ${fact.status}`
    case 'delivery.ready':
      return 'DP knows that the food is ready'
    case 'delivery.progressed':
      return `courier ${fact.step}`
    case 'delivery.waited':
      return 'the courier waits for the food'
    case 'delivery.problem':
      return `incident on the way: ${fact.problem.code}${fact.problem.recoverable === false ? ', beyond recovery' : ''}`
    case 'shipment.demanded':
      return `${shortRoleName[fact.role]} wants it delivered`
    case 'shipment.waits':
      return `${shortRoleName[fact.role]} waits for a platform that may be called`
    case 'shipment.asked':
      return `${shortRoleName[fact.role]} asks ${platformName(fact.platform)} whether it delivers`
    case 'shipment.quoted':
      return `${platformName(fact.platform)} would deliver${price(fact.amount, fact.currency)}`
    case 'shipment.declined':
      return `${platformName(fact.platform)} does not deliver: ${fact.because}`
    case 'shipment.ordered':
      return `${shortRoleName[fact.role]} creates the delivery at ${platformName(fact.platform)}`
    case 'shipment.doubted':
      return `${shortRoleName[fact.role]} does not know whether the delivery was created`
    case 'shipment.created':
      return `${shortRoleName[fact.role]} got 202 for the delivery`
    case 'shipment.food-ready':
      return `${shortRoleName[fact.role]} will tell that the food is ready`
    case 'shipment.called':
      return `${shortRoleName[fact.role]} calls DP: ${fact.call}`
    case 'shipment.accepted':
      return `${shortRoleName[fact.role]} got 202 for ${fact.call}`
    case 'shipment.refused':
      return `${shortRoleName[fact.role]} was refused ${fact.call}: ${fact.because}${fact.call === 'cancel' ? '; support has to look into it' : ''}`
    case 'shipment.cancel-wanted':
      return `${shortRoleName[fact.role]} cancels the delivery${fact.after ? ' before the order' : ''}`
    case 'shipment.heard':
      return `${shortRoleName[fact.role]} received ${fact.eventType || 'an event'} of the delivery`
    case 'shipment.heard-again':
      return `${shortRoleName[fact.role]} received an event of the delivery again`
    case 'shipment.followed':
      return `${shortRoleName[fact.role]} is up to date on the delivery`
    case 'shipment.read':
      return `${shortRoleName[fact.role]} read the delivery: ${fact.news.status ?? 'no status'}`
    case 'shipment.ended':
      return `${shortRoleName[fact.role]}’s delivery is over: ${fact.ended}`
    case 'shipment.stuck':
      return `${shortRoleName[fact.role]} gives up waiting for the delivery`
    case 'shipment.platform-accepted':
      return `${shortRoleName[fact.role]} accepts ${platformName(fact.platform)}: ${fact.manifest.participantId}`
    case 'shipment.platform-rejected':
      return `${shortRoleName[fact.role]} cannot work with ${platformName(fact.platform)}: ${fact.because}`
    default:
      return assertNever(fact)
  }
}

export function logisticsCommandText(command: LogisticsCommand): string {
  switch (command.kind) {
    case 'delivery.enlist':
      return `${command.couriers.length} couriers go on duty`
    case 'delivery.quote':
      return 'a question for availability'
    case 'delivery.create':
      return `a delivery for ${shortRoleName[command.consumer]}`
    case 'delivery.request':
      return `delivery: ${command.trigger} is asked for`
    case 'delivery.apply':
      return `delivery: ${command.rejects ? 'reject' : command.trigger} takes effect${command.force ? ', forced' : ''}`
    case 'delivery.ready':
      return 'DP learns that the food is ready'
    case 'delivery.progress':
      return `the courier gets ${command.step}`
    case 'delivery.wait':
      return 'the courier looks whether the food is ready'
    case 'delivery.report':
      return `an incident on the way: ${command.problem.code}`
    case 'shipment.demand':
      return `${shortRoleName[command.role]} wants it delivered`
    case 'shipment.ask':
      return `${shortRoleName[command.role]} asks for availability`
    case 'shipment.create':
      return `${shortRoleName[command.role]} creates the delivery`
    case 'shipment.food-ready':
      return `${shortRoleName[command.role]} tells DP that the food is ready`
    case 'shipment.call':
      return `${shortRoleName[command.role]} calls DP: ${command.call}`
    case 'shipment.cancel':
      return `${shortRoleName[command.role]} cancels the delivery`
    case 'shipment.notify':
      return `an event of the delivery reaches ${shortRoleName[command.role]}`
    case 'shipment.read':
      return `${shortRoleName[command.role]} reads the delivery`
    default:
      return assertNever(command)
  }
}
