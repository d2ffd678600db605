import type { Chart, Point } from './chart.ts'
import classes from './points-table.module.css'

interface PointsTableProps {
  chart: Chart
  points: Point[]
}

/** A chart's figures in words. */
export function PointsTable({ chart: { title, columns }, points }: PointsTableProps) {
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
        {points.map(({ name, text }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
