/** Every driver by its name, imported on first use. */
import type { DriverName } from '../../../core/traffic/recording/replay-report.ts'
import type { ReplayDriver } from './driver.ts'

export const driversByName: Readonly<Record<DriverName, () => Promise<ReplayDriver>>> = {
  client: async () => (await import('./client.ts')).clientDriver,
  server: async () => (await import('./server.ts')).serverDriver,
  partner: async () => (await import('./partner.ts')).partnerDriver,
}
