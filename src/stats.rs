//! The little statistics that three to twenty samples can bear.

/// The median, or nothing for no samples.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}

/// Below this number of samples there is no interval, and the output says so.
pub const SAMPLES_FOR_AN_INTERVAL: usize = 6;

/// The interval that holds the true median with a probability of at least 95 %, from the order
/// of the samples alone (no distribution is assumed). Nothing below six samples.
pub fn median_interval(values: &[f64]) -> Option<(f64, f64)> {
    let n = values.len();
    if n < SAMPLES_FOR_AN_INTERVAL {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    // P(fewer than k+1 of n samples lie below the median) is a sum of binomials over 2^n.
    let (mut term, mut tail, mut k) = (0.5f64.powi(n as i32), 0.0, 0);
    while tail + term <= 0.025 && k < n / 2 {
        tail += term;
        term *= (n - k) as f64 / (k + 1) as f64;
        k += 1;
    }
    let low = k.saturating_sub(1);
    Some((sorted[low], sorted[n - 1 - low]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between_the_middle_two() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), Some(2.5));
    }

    #[test]
    fn an_interval_needs_six_samples() {
        assert_eq!(median_interval(&[1.0; 5]), None);
        // 2 × (1/2)^6 = 3 %: the smallest and the largest of six.
        assert_eq!(median_interval(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), Some((1.0, 6.0)));
        // Of nine, the second and the eighth: 2 × (1 + 9) / 512 = 3.9 %.
        let nine: Vec<f64> = (1..=9).map(f64::from).collect();
        assert_eq!(median_interval(&nine), Some((2.0, 8.0)));
    }
}
