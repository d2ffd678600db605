import { CountedLink } from '#client/list/counted-link.tsx'
import type { Chart, Point } from './chart.ts'
import classes from './points-table.module.css'

interface PointsTableProps {
  chart: Chart
  points: Point[]
  /** Whether it is seen, in place of the chart: its names then lead to what they count. */
  isSeen?: boolean
}

/** A chart's figures in words. */
export function PointsTable({ chart: { title, columns }, points, isSeen = false }: PointsTableProps) {
  return (
    <table aria-label={title} className={classes.table}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.map(({ name, text, counted }) => (
          <tr key={name}>
            <th scope="row">{isSeen ? <CountedLink counted={counted}>{name}</CountedLink> : name}</th>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
