"""Latent class regression: categorical attributes given continuous ones.

Oganian & Domingo-Ferrer, Local synthesis for disclosure limitation that satisfies probabilistic
k-anonymity criterion (2017), §6. Each record belongs to a class that nobody sees. Given the class
the categorical attributes are independent; which class is likely depends on the continuous
attributes through a multinomial logit.
"""

from __future__ import annotations

from discreet.latent_class.choice import choose
from discreet.latent_class.fitting import fit
from discreet.latent_class.model import LatentClassModel
from discreet.latent_class.synthesis import LatentClasses, latent_classes, synthesise

__all__ = ["LatentClassModel", "LatentClasses", "choose", "fit", "latent_classes", "synthesise"]
