package suggest

import "math"

// z is the quantile of the normal distribution for a one-sided nine of ten.
const z = 1.2816

// wilson is the lower bound of Wilson's interval for a share of yes in n, from 0
// to 1.
func wilson(yes, n float64) float64 {
	if n <= 0 {
		return 0
	}
	share := yes / n
	return (share + z*z/(2*n) - z*math.Sqrt(share*(1-share)/n+z*z/(4*n*n))) / (1 + z*z/n)
}
