/** Every driver by its name, imported on first use. */
import type { PlayedSides } from '../../traffic/replay/replay-report.ts'
import type { ReplayDriver } from './driver.ts'

export const driversByName: Readonly<Record<PlayedSides, () => Promise<ReplayDriver>>> = {
  client: async () => (await import('./client.ts')).clientDriver,
  server: async () => (await import('./server.ts')).serverDriver,
  both: async () => (await import('./both.ts')).bothDriver,
}
